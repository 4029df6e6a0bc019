/** Shrinks a walk that shows a fault: fewer moves, usual chances, shorter replies. */
import type { Move, Walked } from "./walks.ts"

type Shrinking = {
  moves: readonly Move[]
  /** Repeats the walk; undefined: the fault does not show. */
  show(moves: readonly Move[]): Promise<Walked | undefined>
  /** Max walks. */
  tries: number
}

/** The smallest walk found; undefined: even the given one does not show the fault. */
export async function shrink({
  moves,
  show,
  tries,
}: Shrinking): Promise<{ moves: readonly Move[]; walked: Walked } | undefined> {
  const first = await show(moves)
  if (!first) return undefined
  let best = { moves, walked: first }
  let left = tries
  const isBetter = async (fewer: readonly Move[]): Promise<boolean> => {
    if (left-- <= 0) return false
    const walked = await show(fewer)
    if (walked) best = { moves: fewer, walked }
    return walked !== undefined
  }
  // Delta debugging (Zeller, 1999): removes ever smaller parts; the start stays.
  for (let size = Math.ceil((best.moves.length - 1) / 2); size > 0; size = half(size)) {
    for (let at = 1; at < best.moves.length; ) {
      const fewer = best.moves.toSpliced(at, size)
      if (!(await isBetter(fewer))) at += size
    }
  }
  const [start] = best.moves
  if (start?.variables) await isBetter(best.moves.with(0, { ...start, variables: undefined }))
  for (let at = 0; at < best.moves.length; at++) {
    const { plan = [] } = best.moves[at] ?? {}
    const withPlan = (usual: readonly number[]) =>
      best.moves.with(at, { ...best.moves[at], plan: usual })
    const isUsual = plan.every((way) => way === 0) || (await isBetter(withPlan([])))
    for (let chance = 0; chance < plan.length && !isUsual; chance++) {
      const present = best.moves[at]?.plan ?? []
      if (present[chance] !== 0) await isBetter(withPlan(present.with(chance, 0)))
    }
    await shorten(at, () => best.moves, isBetter)
  }
  return best
}

function half(size: number): number {
  return size === 1 ? 0 : Math.ceil(size / 2)
}

/** Halves a long reply as long as the fault shows. */
async function shorten(
  at: number,
  moves: () => readonly Move[],
  isBetter: (moves: readonly Move[]) => Promise<boolean>,
): Promise<void> {
  for (;;) {
    const move = moves()[at]
    const text = move?.step?.user
    if (!move || typeof text !== "string" || text.length < 20) return
    const middle = text.length >> 1
    const halves = ["a", text.slice(0, middle), text.slice(middle)]
    let isShorter = false
    for (const user of halves) {
      isShorter ||= await isBetter(moves().with(at, { ...move, step: { user } }))
    }
    if (!isShorter) return
  }
}
