/** Resolves when a sent message has reached the next node. */
import { nextTurn } from '../../common/event-loop'

/**
 * Resolves when the next nodes have received the messages sent in this turn; Node-RED passes them on in the following
 * turn. The stored copy of a message is removed only after that, because otherwise a kill in between would lose the
 * message.
 */
export const delivered = nextTurn
