/** How the tests run each example, both without a browser and in a browser. */

interface Step {
  readonly press: readonly string[]
  readonly speak: readonly string[]
}

/** Which buttons of each example are pressed, one group after the other, and which debug nodes must then print. */
export const runs: Readonly<Record<string, readonly Step[]>> = {
  'My first contract': [{ press: ['start'], speak: ['sign here'] }],
  'Tour': [
    {
      press: ['run the tour'],
      speak: ['tour: stored', 'tour: identified', 'tour: shared', 'tour: released', 'tour: end'],
    },
    // Each run creates new deposits.
    { press: ['run the tour'], speak: ['tour: canceled', 'tour: released', 'tour: end'] },
  ],
  'Board minutes': [
    { press: ['send the minutes'], speak: ['the chair: signed or not', 'in place of the email node'] },
    { press: ['send the minutes'], speak: ['the chair: signed or not', 'archived before'] },
  ],
  'From Excel and Word to signed files': [
    { press: ['forget the list', 'send the leases'], speak: ['report'] },
    { press: ['send the leases'], speak: ['report'] },
  ],
  'Signing in our own page': [
    { press: ['make a page'], speak: ['address of the page', 'what happens in the page', 'signed', 'Ola is done'] },
  ],
  'Identify a person': [{ press: ['start'], speak: ['open this page'] }],
  'From v1 to v2': [
    { press: ['older request, newer service'], speak: ['by v2: what was made', 'by v2'] },
    { press: ['older request, older service'], speak: ['by v1: what was made', 'by v1'] },
  ],
  'Know your customer': [
    { press: ['Ola becomes a customer', 'Ola holds an office'], speak: ['accepted', 'in place of the email node'] },
    {
      press: ["Ola's phone, Kari's name", 'someone refuses', 'no one answers'],
      speak: ['another person', 'not identified'],
    },
    // On the same day, the example finds the same declaration.
    { press: ['Ola becomes a customer'], speak: ['accepted'] },
  ],
  'Caller check': [
    {
      press: ['Ola phones in', 'a stranger as Ola', 'someone refuses'],
      speak: ['the agent says', 'continue', 'not this person'],
    },
  ],
  'Payroll files': [
    { press: ['send the payslips'], speak: ['how far', 'files sent', 'a recipient reads', 'all have fetched'] },
  ],
  'Cancel or release a deposit': [
    { press: ['ask: not fully paid in', 'ask: fully paid in'], speak: ['can be canceled', 'can be released'] },
    // The first questions must not have ended a deposit.
    { press: ['ask: not fully paid in', 'ask: fully paid in'], speak: ['can be canceled', 'can be released'] },
    { press: ['cancel it', 'release it'], speak: ['canceled', 'released'] },
    { press: ['ask: not fully paid in', 'ask: fully paid in'], speak: ['ended already'] },
  ],
  'Split a deposit': [
    { press: ['propose'], speak: ['e-mail to Per'] },
  ],
  'Events without public address': [
    { press: ['something happens'], speak: ['Ola signed', 'another event', 'signed'] },
  ],
  'Webhook': [
    { press: ['ask for a ping'], speak: [] },
    { press: ['something happens'], speak: ['Ola signed', 'event'] },
  ],
  'When a call fails': [
    {
      press: ['too busy', 'breaks off', 'cannot work'],
      speak: ['a person has to look', 'it was done', 'sent', 'in place of the email node'],
    },
  ],
  'Consent by QR code': [
    { press: ['Ola scans the code'], speak: ['Ola has signed', 'consent kept'] },
    // The form is new each time, even if the same person fills it in again.
    { press: ['Ola scans the code'], speak: ['consent kept'] },
  ],
  'Every night': [
    { press: ['something to find', 'something signed'], speak: ['to be found', 'it is signed'] },
    { press: ['now', 'archive now'], speak: ['report', 'kept', 'archived'] },
    { press: ['archive now', 'check now'], speak: ['archived', 'checked'] },
    { press: ['something canceled'], speak: ['it was canceled', 'in place of the email node'] },
  ],
  'Signing as a service': [
    { press: ['a program asks'], speak: ['answer to the program', 'Ola: signed or not', 'called back'] },
    { press: ['a program asks', 'a wrong request'], speak: ['answer to the program'] },
  ],
  'Rental contract as a node': [
    { press: ['rent out flat 12', 'rent out flat 14'], speak: ['has pressed sign', 'signed', 'signed too'] },
  ],
  'Several companies': [{ press: ['send both'], speak: ['sent by Nord', 'sent by Sør'] }],
  'Yearly renewals from PostgreSQL': [
    { press: ['make the table'], speak: ['the table'] },
    // Both leases are renewed.
    { press: ['now'], speak: ['report', 'the tenant has signed', 'renewed', 'renewed'] },
    { press: ['now'], speak: ['nothing to renew'] },
  ],
  'Change a document': [
    { press: ['send the contract'], speak: ['on its way'] },
    { press: ['Kari signs too', 'more time', 'remind'], speak: ['Kari signs here', 'new deadline', 'reminded'] },
    { press: ['how does it stand?'], speak: ['how it stands'] },
  ],
  'Share a file': [
    { press: ['share it'], speak: ['shared'] },
    { press: ['Kari sees it too'], speak: ['Kari opens it here'] },
    { press: ['notify Kari again'], speak: ['notified again'] },
    { press: ['not Kari after all'], speak: ['Kari is out'] },
    { press: ['how does it stand?'], speak: ['how it stands'] },
  ],
  'From enquiry to keys': [
    { press: ['Ola wants the flat'], speak: ['Ola has signed', 'Ola has paid', 'hand over the keys'] },
  ],
}
