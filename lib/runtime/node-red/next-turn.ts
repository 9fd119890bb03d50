/** Resolves when a message that was sent is with the next node. */
import { nextTurn } from '../../common/event-loop'

/**
 * Resolves when the following nodes have the messages sent in this turn, which Node-RED passes on in the next one. The
 * stored copy is removed only then; otherwise a kill in between would lose it.
 */
export const delivered = nextTurn
