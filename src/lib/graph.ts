/** Walks graphs without recursion: depth first, and by strongly connected components (Tarjan, 1972). */

type Visit<Node> = {
  node: Node
  successors: readonly Node[]
  /** Index of the successor to look at next. */
  next: number
  order: number
  /** Smallest order that is reached among open visits. */
  lowest: number
  /** Whether its component is still being collected. */
  isOpen: boolean
}

/**
 * Sets of nodes that reach one another, each after the sets that it leads to; the node that was met
 * first comes first in its set. A node on no cycle is a component of its own.
 */
export function componentsOf<Node>(
  nodes: Iterable<Node>,
  successorsOf: (node: Node) => readonly Node[],
): Node[][] {
  const components: Node[][] = []
  const visits = new Map<Node, Visit<Node>>()
  const open: Visit<Node>[] = []
  const enter = (node: Node): Visit<Node> => {
    const order = visits.size
    const successors = successorsOf(node)
    const visit = { node, successors, next: 0, order, lowest: order, isOpen: true }
    visits.set(node, visit)
    open.push(visit)
    return visit
  }
  for (const root of nodes) {
    const path = visits.has(root) ? [] : [enter(root)]
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const successor = here.successors[here.next++]
      if (successor !== undefined) {
        const seen = visits.get(successor)
        if (!seen) path.push(enter(successor))
        else if (seen.isOpen) here.lowest = Math.min(here.lowest, seen.order)
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above) above.lowest = Math.min(above.lowest, here.lowest)
      if (here.lowest === here.order) components.push(close(open, here))
    }
  }
  return components
}

function close<Node>(open: Visit<Node>[], first: Visit<Node>): Node[] {
  const component = open.splice(open.lastIndexOf(first))
  for (const visit of component) visit.isOpen = false
  return component.map(({ node }) => node)
}

/** Adds a node and all nodes that it leads to to `seen`, depth first; stops at those already in it. */
export function visitDepthFirst<Node extends object>(
  first: Node | undefined,
  nextOf: (node: Node) => readonly (Node | undefined)[],
  seen: Set<Node>,
): void {
  const waiting = [first]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (!node || seen.has(node)) continue
    seen.add(node)
    for (const next of nextOf(node).toReversed()) waiting.push(next)
  }
}
