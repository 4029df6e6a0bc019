/** Suggests a block type for an unknown one. */
import { blockTypes } from "../../engine/blocks/registry.ts"

/** The known type nearest to an unknown one; undefined: none is near. */
export function nearType(written: string): string | undefined {
  return Object.keys(blockTypes).find((type) => isOneOff(written.toLowerCase(), type.toLowerCase()))
}

/** Whether adding, removing, replacing or swapping one letter turns one text into the other. */
function isOneOff(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = (text: string, from: number) => text.slice(at + from)
  if (short.length < long.length) return rest(long, 1) === rest(short, 0)
  const isSwapped =
    long[at] === short[at + 1] && long[at + 1] === short[at] && rest(long, 2) === rest(short, 2)
  return rest(long, 1) === rest(short, 1) || isSwapped
}
