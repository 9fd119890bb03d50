/**
 * Checks how a flow is drawn on the canvas: which nodes and wires overlap or cross, how wide the flow is, and where its
 * wires run.
 */

export interface FlowNode {
  readonly id: string
  readonly type: string
  /** The tab or subflow that the node is on. */
  readonly z?: string
  readonly name?: string
  readonly info?: string
  readonly client?: string
  /** The address of a node of type `http in`. */
  readonly url?: string
  /** Whether an inject node starts at every deploy. */
  readonly once?: boolean
  readonly x?: number
  readonly y?: number
  readonly w?: number
  readonly h?: number
  /** The ids of the nodes in a group; set only for a group. */
  readonly nodes?: readonly string[]
  /** The ids of the link nodes at the other end; set only for a link node. */
  readonly links?: readonly string[]
  readonly wires?: readonly (readonly string[])[]
  readonly credentials?: Readonly<Record<string, string>>
}

interface Box {
  readonly name: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface Wire {
  readonly name: string
  readonly from: readonly [x: number, y: number]
  readonly to: readonly [x: number, y: number]
}

/** The approximate box that the editor draws for a node; its exact width depends on the font. */
function boxOf({ type, name = '', x = 0, y = 0, wires = [] }: FlowNode): Box {
  const isLink = type === 'link in' || type === 'link out'
  const width = isLink ? 30 : Math.max(100, 20 * Math.ceil((name.length * 7.4 + 57) / 20))
  const height = Math.max(30, wires.length * 15)
  return { name, left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 }
}

const drawn = (flow: readonly FlowNode[]) => flow.filter(({ x, type }) => x !== undefined && type !== 'group')

function wiresOf(flow: readonly FlowNode[]): Wire[] {
  return drawn(flow).flatMap((node) =>
    (node.wires ?? []).flatMap((targets, output, outputs) =>
      targets.flatMap((id) => {
        const target = flow.find((one) => one.id === id)
        if (!target) return []
        const from = boxOf(node)
const to = boxOf(target)
        const port = (node.y ?? 0) + (output - (outputs.length - 1) / 2) * 13
        return [{ name: `${from.name} → ${to.name}`, from: [from.right, port], to: [to.left, target.y ?? 0] } as const]
      }),
    ),
  )
}

/** Pairs of nodes that cover each other. */
export function overlaps(flow: readonly FlowNode[]): string[] {
  return pairs(drawn(flow).map(boxOf))
    .filter(([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map(([a, b]) => `${a.name} / ${b.name}`)
}

/** Wires whose end is not to the right of their beginning. */
export function wiresToTheLeft(flow: readonly FlowNode[]): string[] {
  return wiresOf(flow)
    .filter(({ from, to }) => to[0] <= from[0])
    .map(({ name }) => name)
}

/** Pairs of wires that would cross as straight lines; wires with a common start or end are left out. */
export function crossings(flow: readonly FlowNode[]): string[] {
  return pairs(wiresOf(flow))
    .filter(([a, b]) => cross(a, b))
    .map(([a, b]) => `${a.name} / ${b.name}`)
}

function cross(a: Wire, b: Wire): boolean {
  return side(a, b.from) * side(a, b.to) < 0 && side(b, a.from) * side(b, a.to) < 0
}

/** On which side of the wire a point is; 0 if it is on the wire. */
function side({ from, to }: Wire, [x, y]: readonly [number, number]): number {
  return Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]))
}

/** Pixels from the left edge of the leftmost node to the right edge of the rightmost node. */
export function widthOf(flow: readonly FlowNode[]): number {
  const boxes = drawn(flow).map(boxOf)
  return Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
}

/** Nodes outside of any group or outside the frame of their group, and groups without a name. */
export function ungrouped(flow: readonly FlowNode[]): string[] {
  const groups = flow.filter(({ type }) => type === 'group')
  const outside = drawn(flow).filter((node) => {
    const { nodes, x = 0, y = 0, w = 0, h = 0 } = groups.find((group) => group.nodes?.includes(node.id)) ?? {}
    const box = boxOf(node)
    return !nodes || box.left < x || box.right > x + w || box.top < y || box.bottom > y + h
  })
  const framed = outside.filter(({ type }) => type !== 'comment').map(({ name = '' }) => name)
  return [...framed, ...groups.filter(({ name }) => !name).map(({ id }) => id)]
}

/** The width of the canvas in pixels, if the window is 1,440 pixels wide, and the palette and the sidebar are open. */
const laptop = 937

/**
 * Groups whose frame, as the editor draws it around their nodes, begins to the left of the canvas, or ends beyond the
 * part that a laptop shows.
 */
export function framesOutside(flow: readonly FlowNode[]): string[] {
  const groups = flow.filter(({ type }) => type === 'group')
  const leftOf = (node: FlowNode) => boxOf(node).left - 25 - (node.type === 'inject' ? 20 : 0)
  const rightOf = (node: FlowNode) => boxOf(node).right + 25 + (node.type === 'debug' ? 20 : 0)
  const isOut = (node: FlowNode) => leftOf(node) < 0 || rightOf(node) > laptop
  const isOutside = ({ nodes = [] }: FlowNode) => flow.some((node) => nodes.includes(node.id) && isOut(node))
  return groups.filter(isOutside).map(({ name = '' }) => name)
}

/** The wires that run under a node to which they are not connected, including the dashed wires between link nodes. */
export function wiresUnderNodes(flow: readonly FlowNode[]): string[] {
  const boxes = drawn(flow).map(boxOf)
  return [...wiresOf(flow), ...linksOf(flow)].flatMap((wire) => {
    const points = curveOf(wire)
    const under = boxes.filter((box) => points.some((point) => isInside(box, point)))
    return under.map(({ name }) => `${wire.name} under ${name}`)
  })
}

function linksOf(flow: readonly FlowNode[]): Wire[] {
  return drawn(flow)
    .filter(({ type }) => type === 'link out')
    .flatMap((out) =>
      (out.links ?? []).flatMap((id) => {
        const target = flow.find((one) => one.id === id)
        if (!target) return []
        const from = boxOf(out)
const to = boxOf(target)
        const name = `${from.name} … ${to.name}`
        return [{ name, from: [from.right, out.y ?? 0], to: [to.left, target.y ?? 0] } as const]
      }),
    )
}

/**
 * Points along a wire: the editor's own curve if the wire runs to the right, an approximation if it runs back to the
 * left.
 */
function curveOf({ from: [x1, y1], to: [x2, y2] }: Wire): (readonly [number, number])[] {
  const steps = Array.from({ length: 41 }, (_, index) => index / 40)
  if (x2 > x1) {
    const handle = 75 * Math.min(1, Math.hypot(x2 - x1, y2 - y1) / 100)
    return steps.map((t) => [bezier(x1, x1 + handle, x2 - handle, x2, t), bezier(y1, y1, y2, y2, t)])
  }
  const between = (y1 + y2) / 2
  return steps.map((t) => [x1 + (x2 - x1) * t, between])
}

function bezier(a: number, b: number, c: number, d: number, t: number): number {
  const u = 1 - t
  return a * u ** 3 + 3 * b * u * u * t + 3 * c * u * t * t + d * t ** 3
}

/** Whether the point is inside the box by a margin, because a wire touches the edges of its own nodes. */
function isInside({ left, right, top, bottom }: Box, [x, y]: readonly [number, number]): boolean {
  return x > left + 3 && x < right - 3 && y > top + 3 && y < bottom - 3
}

function pairs<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const))
}
