/** Resolves when a message that was sent is with the next node. */
import { nextTurn } from '../../common/event-loop'

/**
 * Resolves when the nodes that follow have what was sent in this turn: Node-RED hands it over in the next one. The
 * stored copy is removed only then; otherwise a kill in between would lose it.
 */
export const delivered = nextTurn
