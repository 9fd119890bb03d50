/**
 * Headless sessions: a few seconds after the start, the sandbox answers for the user. The phone number decides how the
 * session ends.
 */
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { expectedPerson, personAt } from './person'
import { endSession, settle } from './lifecycle'
import type { Ending, Session } from './session'

/** Milliseconds after which the simulated user answers. */
const ANSWER_MS = 3000

/** How a session ends for these phone numbers. For all other numbers, the session succeeds. */
const headlessEndings: Readonly<Record<string, Ending>> = {
  '+4790000001': {
    status: 'user_aborted',
    error: { message: 'The user aborted.', code: 'userAborted', providerCode: 'SIM-ABORT' },
  },
  '+4790000002': {
    status: 'failed',
    error: {
      message: 'A login for this person is running already.',
      code: 'alreadyInProgress',
      providerCode: 'SIM-BUSY',
    },
  },
  '+4790000003': {
    status: 'timed_out',
    error: { message: 'The user did not answer in time.', code: 'timedOut', providerCode: 'SIM-TIMEOUT' },
  },
}

/** Lets the user answer in a few seconds of the sandbox's time. */
export function startHeadless(session: Session, world: World): void {
  const [provider = ''] = session.allowedProviders
  session.provider = provider
  const { phoneNumber } = objectIn(session.requested.prefilledInput)
  const person = personAt(provider, expectedPerson(session.requested))
  const ending = headlessEndings[textIn(phoneNumber)] ?? { status: 'success', person }
  world.clock.after(ANSWER_MS, () => endSession(settle(session, world), ending))
}
