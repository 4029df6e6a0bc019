/** The line of an edge: straight runs with round corners, around the boxes that it joins. */

export type Point = { x: number; y: number }
export type Box = Point & { height: number }

const lead = 24
const clearance = 28
const radius = 10

/** Both ends with the boxes that they are at; the source is at a right side, the target at a left one. */
export type Ends = { source: Point; target: Point; sourceBox: Box; targetBox: Box }

/** The path as SVG has it. */
export function routeEdge(ends: Ends): string {
  return rounded(cornersOf(ends))
}

function cornersOf({ source, target, sourceBox, targetBox }: Ends): Point[] {
  const isAhead = target.x - source.x >= 2 * lead
  if (isAhead) {
    if (Math.abs(target.y - source.y) < 1) return [source, target]
    // Near the target, since edges from one box to several would else share their upright.
    const x = Math.max(source.x + lead, target.x - lead - fan(source.y - sourceBox.y))
    return [source, { x, y: source.y }, { x, y: target.y }, target]
  }
  const out = source.x + lead + fan(source.y - sourceBox.y) / 2
  const back = target.x - lead
  const lane = laneBetween(sourceBox, targetBox)
  return [
    source,
    { x: out, y: source.y },
    { x: out, y: lane },
    { x: back, y: lane },
    { x: back, y: target.y },
    target,
  ]
}

/** Spreads uprights by the place of their handle, so that they do not lie on one another. */
function fan(offset: number): number {
  return (Math.round(offset / 16) % 8) * 4
}

/** A height at which a line passes between two boxes, or below both. */
function laneBetween(one: Box, other: Box): number {
  const [upper, lower] = one.y <= other.y ? [one, other] : [other, one]
  const gap = lower.y - (upper.y + upper.height)
  if (gap >= clearance) return upper.y + upper.height + gap / 2
  return Math.max(one.y + one.height, other.y + other.height) + clearance
}

function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (!first) return ""
  let path = `M${first.x} ${first.y}`
  let before = first
  for (const [index, point] of rest.entries()) {
    const after = rest[index + 1]
    if (!after) return `${path}L${point.x} ${point.y}`
    const size = Math.min(radius, lengthOf(before, point) / 2, lengthOf(point, after) / 2)
    const from = towards(point, before, size)
    const to = towards(point, after, size)
    path += `L${from.x} ${from.y}Q${point.x} ${point.y} ${to.x} ${to.y}`
    before = point
  }
  return path
}

function lengthOf(one: Point, other: Point): number {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y)
}

function towards(from: Point, to: Point, distance: number): Point {
  return {
    x: from.x + Math.sign(to.x - from.x) * Math.min(distance, Math.abs(to.x - from.x)),
    y: from.y + Math.sign(to.y - from.y) * Math.min(distance, Math.abs(to.y - from.y)),
  }
}
