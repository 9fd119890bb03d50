/** Looks at a flow as it is drawn on the canvas: what covers or crosses what, and which wires run backwards. */

export interface FlowNode {
  readonly id: string
  readonly type: string
  readonly name?: string
  readonly info?: string
  readonly client?: string
  readonly x?: number
  readonly y?: number
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

/** About as wide as the editor draws it: it depends on the font. */
function boxOf({ type, name = '', x = 0, y = 0, wires = [] }: FlowNode): Box {
  const isLink = type === 'link in' || type === 'link out'
  const width = isLink ? 30 : Math.max(100, 20 * Math.ceil((name.length * 7 + 50) / 20))
  const height = Math.max(30, wires.length * 15)
  return { name, left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 }
}

const drawn = (flow: readonly FlowNode[]) => flow.filter(({ x }) => x !== undefined)

function wiresOf(flow: readonly FlowNode[]): Wire[] {
  return drawn(flow).flatMap((node) =>
    (node.wires ?? []).flatMap((targets, output, outputs) =>
      targets.flatMap((id) => {
        const target = flow.find((one) => one.id === id)
        if (!target) return []
        const [from, to] = [boxOf(node), boxOf(target)]
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

/** Pairs of wires that cross, taken as straight lines; those that begin or end together do not. */
export function crossings(flow: readonly FlowNode[]): string[] {
  return pairs(wiresOf(flow))
    .filter(([a, b]) => cross(a, b))
    .map(([a, b]) => `${a.name} / ${b.name}`)
}

function cross(a: Wire, b: Wire): boolean {
  return side(a, b.from) * side(a, b.to) < 0 && side(b, a.from) * side(b, a.to) < 0
}

/** On which side of the wire a point lies; 0 on it. */
function side({ from, to }: Wire, [x, y]: readonly [number, number]): number {
  return Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]))
}

function pairs<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const))
}
