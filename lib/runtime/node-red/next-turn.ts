/** Resolves when a message that was sent is with the next node. */
import { nextTurn } from '../../common/event-loop'

/**
 * Resolves when the nodes that follow have what was sent in this turn: Node-RED hands it over in the next one. What is
 * kept of it is forgotten only then, otherwise it is nowhere when Node-RED is killed in between.
 */
export const delivered = nextTurn
