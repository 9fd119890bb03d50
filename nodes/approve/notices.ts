/** The messages for approvers: each is a complete e-mail with the approver's own address. */
import type { TextParams } from '../../lib/api/errors/texts'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import type { Approval } from './approval'
import type { Approver } from './approvers'

/** `translate` returns a text of the node in the language of the notices. */
export function noticeFor(
  { what, proposer }: Approval,
  { name, email }: Approver,
  url: string,
  reminder: number,
  translate: (key: string, params?: TextParams) => string,
): FlowMessage {
  const subject = translate(reminder === 0 ? 'notice.subject' : 'notice.reminder', { what })
  const proposed = proposer && proposer.name !== '' ? translate('notice.proposedBy', { name: proposer.name }) : ''
  const text = [translate('notice.hello', { name }), translate('notice.text', { what }), proposed, url]
    .concat(translate('notice.careful'))
    .filter(Boolean)
    .join('\n\n')
  // The e-mail node takes the subject from `topic`, and the text from `payload`.
  return { topic: subject, payload: text, to: email, subject, text, url, approver: name, reminder }
}
