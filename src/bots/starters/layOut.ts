/** Places the groups of a starter on the canvas: a column for each step from the start, none overlapping. */

/** What matters of a group: its blocks and the titles of groups that follow. */
type Placed = {
  title: string
  blocks: readonly { to?: string; items?: readonly { to?: string }[]; content?: unknown }[]
  to?: string
}

/** Between the left sides of two columns; editors draw groups some 300 wide. */
const columnWidth = 420
const gap = 80

/** The place of each group, by title. */
export function layOut(groups: readonly Placed[]): Map<string, { x: number; y: number }> {
  const columns = columnsOf(groups)
  const bottoms = new Map<number, number>()
  return new Map(
    groups.map((group) => {
      const column = columns.get(group.title) ?? 1
      const y = bottoms.get(column) ?? 0
      bottoms.set(column, y + heightOf(group) + gap)
      return [group.title, { x: column * columnWidth, y }]
    }),
  )
}

/** The number of groups on the shortest way to each. */
function columnsOf(groups: readonly Placed[]): Map<string, number> {
  const columns = new Map<string, number>()
  let ends = groups.slice(0, 1).map(({ title }) => title)
  for (let column = 1; ends.length > 0; column++) {
    for (const title of ends) columns.set(title, column)
    const next = groups.filter(({ title }) => ends.includes(title)).flatMap(targetsOf)
    ends = [...new Set(next)].filter((title) => !columns.has(title))
  }
  return columns
}

function targetsOf({ blocks, to }: Placed): string[] {
  const all = [
    to,
    ...blocks.flatMap((each) => [each.to, ...(each.items ?? []).map((item) => item.to)]),
  ]
  return all.filter((title) => title !== undefined)
}

/** Rather too high than too low: a title, and for each block its lines and items. */
export function heightOf({ blocks }: Placed): number {
  const heights = blocks.map(({ items = [], content }) => {
    const lines = content === undefined ? 1 : Math.ceil(JSON.stringify(content).length / 60)
    return 50 + 22 * lines + 48 * items.length
  })
  return heights.reduce((sum, height) => sum + height, 70)
}
