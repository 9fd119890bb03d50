/** Resolves when a sent message has reached the next node. */
import { nextTurn } from '../../common/event-loop'

/**
 * Resolves when the next nodes have received the messages sent in this turn, which Node-RED passes on in the following
 * turn. Only then is the stored copy removed; otherwise a kill in between would lose the message.
 */
export const delivered = nextTurn
