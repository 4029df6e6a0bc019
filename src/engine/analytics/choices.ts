/** Splits answers to questions with several choices into the choices. */
import { type Block, typeOf } from "../blocks/registry.ts"

const separator = ", "

/** How often each choice was made, given how often each answer was; most often first. */
export function countChoices(
  block: Block,
  answers: Iterable<readonly [content: string, count: number]>,
): { value: string; count: number }[] {
  const type = typeOf(block)
  const labels = type.kind === "input" ? type.labels?.(block) : undefined
  const counts = new Map<string, number>()
  for (const [content, count] of answers) {
    for (const value of labels ? chosenOf(content, labels) : [content]) {
      counts.set(value, (counts.get(value) ?? 0) + count)
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
}

/** Labels may contain the separator themselves: longer ones are looked for first. */
function chosenOf(content: string, labels: readonly string[]): string[] {
  const longest = labels.filter((label) => label !== "").toSorted((a, b) => b.length - a.length)
  const chosen: string[] = []
  for (let rest = content; rest !== ""; ) {
    const label =
      longest.find((each) => rest === each || rest.startsWith(each + separator)) ??
      rest.split(separator, 1)[0] ??
      rest
    chosen.push(label)
    rest = rest.slice(label.length + separator.length)
  }
  return chosen
}
