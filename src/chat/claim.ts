/** A turn's claim on its session: taken before its first outside effect, given up when it fails. */
import type { Log } from "../log.ts"
import type { Place } from "./place.ts"

/** The claim that one turn may take. */
export type Claim = {
  /** The revision to save from. */
  revision(): number
  /** False: another turn won. */
  take(): Promise<boolean>
  /** Lets others go on when the turn stores nothing; a claim that cannot be given up expires. */
  giveUp(log: Log): Promise<void>
}

/** Opens the claim of a turn that read the session at a revision. */
export function openClaim(place: Pick<Place, "claim" | "release">, from: number): Claim {
  let revision = from
  let isAsked = false
  return {
    revision: () => revision,
    async take() {
      isAsked = true
      const claimed = await place.claim(from)
      revision = claimed ?? from
      return claimed !== undefined
    },
    async giveUp(log) {
      if (!isAsked) return
      try {
        // Not `revision`: the answer to a claim that was taken may have got lost.
        await place.release(from + 1)
      } catch (err) {
        log.warn({ err }, "A claim could not be given up")
      }
    },
  }
}
