/** Changes the replies of walks until they take untaken ways. */
import { currentOf } from "../../engine/session.ts"
import { drawOne } from "../play/dice.ts"
import { rootVersion } from "../play/play.ts"
import type { BlockFacts, FlowFacts } from "./flowFacts.ts"
import { distanceToWay, type WayOut } from "./nearness.ts"
import { type Possible, possibleAt } from "./possibleMoves.ts"
import type { Move, Place, Stride } from "./walks.ts"

/** The way to a place: its last move, and the way before it. */
export type Trail = { before?: Trail | undefined; move: Move }

export type Climbing = {
  facts: FlowFacts
  /** Makes a move, and keeps its findings. Undefined: the time is over. */
  go(from: Place | undefined, move: Move, before: Trail | undefined): Promise<Stride | undefined>
  /** Whether the way was taken, or a block after it refuses. */
  isTaken(way: WayOut): boolean
  dice(): number
}

/** Max turns for one way, max turns of one walk, and max replies tried at one question. */
const maxTurns = 6_000
const maxWalk = 200
const maxTried = 8

/** A move of a walk, and its place. */
type Step = { from: Place | undefined; before: Trail | undefined; move: Move }
type Walk = { steps: Step[]; distance: number }

/**
 * Tries to take a way: changes one reply of a walk after the other, and keeps changes that bring the
 * condition nearer (the alternating variable method; Korel, 1990). So a sum of many answers reaches a
 * condition, though not all of its values can be tried. `first`: the moves of a walk that comes near to it.
 */
export async function climb(
  climbing: Climbing,
  known: BlockFacts,
  { way, first }: { way: WayOut; first: readonly Move[] },
): Promise<void> {
  const { facts, isTaken } = climbing
  let turns = maxTurns
  /** Continues from a place with these moves as far as they fit, then with usual ones. */
  const follow = async (
    start: Omit<Step, "move">,
    moves: readonly Move[],
  ): Promise<Walk | undefined> => {
    const steps: Step[] = []
    let { from, before } = start
    let distance = Number.POSITIVE_INFINITY
    for (let index = 0; index < maxWalk; index++) {
      const move =
        index === 0 && !from ? (moves[0] ?? { plan: [] }) : fitting(from, moves[index], facts)
      if (!move || turns-- <= 0) break
      steps.push({ from, before, move })
      const stride = await climbing.go(from, move, before)
      if (!stride) return undefined
      before = { before, move }
      from = stride.to
      const { turn } = stride
      const isMet = turn?.trail?.some(
        ({ blockId, version }) => blockId === way.blockId && version === rootVersion,
      )
      if (turn && isMet) {
        const { values } = currentOf(turn.session)
        distance = Math.min(distance, distanceToWay(known, way, values, facts))
        // Later moves do not bring it nearer, unless the way was taken.
        if (!isTaken(way)) break
      }
      if (!from) break
    }
    return { steps, distance }
  }
  let best = await follow({ from: undefined, before: undefined }, first)
  for (let isBetter = true; best && isBetter; ) {
    isBetter = false
    for (let at = best.steps.length - 1; at > 0; at--) {
      const step: Step | undefined = best.steps[at]
      if (!step?.from) continue
      for (const move of others(step.from, step.move, climbing)) {
        if (isTaken(way) || turns <= 0) return
        const rest: Move[] = best.steps.slice(at + 1).map((each) => each.move)
        const tried: Walk | undefined = await follow(step, [move, ...rest])
        if (!tried) return
        if (tried.distance >= best.distance) continue
        best = { steps: [...best.steps.slice(0, at), ...tried.steps], distance: tried.distance }
        isBetter = true
      }
    }
  }
}

/** The move, if possible at this place; else the usual one. */
function fitting(from: Place | undefined, move: Move | undefined, facts: FlowFacts) {
  if (!from) return undefined
  const possible = possibleAt(from, facts)
  const wanted = JSON.stringify(move?.step)
  const same = move && possible.find(({ step }) => JSON.stringify(step) === wanted)
  const usual = same ?? possible[0]
  return usual && { step: usual.step, plan: same ? (move?.plan ?? []) : [] }
}

/** Other expected replies at a place. */
function others(from: Place, { step }: Move, { facts, dice }: Climbing): Move[] {
  const meant = possibleAt(from, facts).filter(
    (each) => each.isMeant !== false && JSON.stringify(each.step) !== JSON.stringify(step),
  )
  const tried = meant.length <= maxTried ? meant : pickSome(meant, dice)
  return tried.map((each) => ({ step: each.step, plan: [] }))
}

function pickSome(all: readonly Possible[], dice: () => number): Possible[] {
  const ends = [all[0], all.at(-1)].flatMap((each) => each ?? [])
  const drawn = Array.from({ length: maxTried - ends.length }, () => drawOne(dice, all))
  return [...new Set([...ends, ...drawn.flatMap((each) => each ?? [])])]
}
