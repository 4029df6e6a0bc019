/** Drives the replay of a conversation to its end. */
import type { Script, ScriptOutcome } from "../../engine/calls.ts"
import type { Playing } from "./replaySide.ts"

/** What a replay is driven with. */
export type Drive = {
  /** Runs scripts that call nothing outside; undefined: there is no time left for them. */
  run(scripts: readonly Script[]): Promise<ScriptOutcome[] | undefined>
  /** Does a piece of work when it is its turn. */
  compute<Result>(work: () => Result): Promise<Result>
}

/** The result of a replay; undefined: its scripts took too long. */
export async function drive<Result>(
  playing: Playing<Result>,
  { run, compute }: Drive,
): Promise<Result | undefined> {
  let step = await compute(() => playing.next())
  while (!step.done) {
    const outcomes = step.value.length === 0 ? [] : await run(step.value)
    if (!outcomes) return undefined
    step = await compute(() => playing.next(outcomes))
  }
  return step.value
}
