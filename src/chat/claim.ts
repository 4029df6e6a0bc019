/** A turn's claim on its session: taken before its first outside effect, and kept while it runs. */
import type { Log } from "../shared/log.ts"
import type { SessionStore } from "./sessionStore.ts"

/** How long a session stays claimed whose process has died. */
export const claimSeconds = 8

/** Three renewals may fail before the claim runs out. */
const renewMs = 2_000
const retryMs = 500
/** A claim that was confirmed so short a time ago is ours, by whatever clock. */
const sureMs = 4_000

/** The claim that one turn may take. */
export type Claim = {
  /** The revision to save from. Nobody can save from it once another turn has claimed or saved. */
  revision(): number
  /** Whether it was taken, so that something may have been done outside. */
  isTaken(): boolean
  /**
   * Makes sure, before every outside effect, that the session is ours: takes it the first time, and
   * asks again when the process or the database stood still. False: another turn won.
   */
  hold(): Promise<boolean>
  /** Aborts when another turn has the session. */
  lost: AbortSignal
  /** Renews it no more. To be called when the turn is over, however it ended. */
  end(): void
  /** Lets others go on when the turn stores nothing; a claim that cannot be given up expires. */
  giveUp(): Promise<void>
}

type ClaimPlace = Pick<SessionStore, "claim" | "renew" | "release">

/** Opens the claim of a turn that read the session at a revision. */
export function openClaim(store: ClaimPlace, from: number, log: Log): Claim {
  const lost = new AbortController()
  let revision: number | undefined
  let isAsked = false
  let confirmedAt = 0
  let timer: NodeJS.Timeout | undefined

  const take = async () => {
    isAsked = true
    confirmedAt = performance.now()
    revision = await store.claim(from)
    if (revision !== undefined) renewIn(renewMs)
  }
  const renew = async (held: number) => {
    const askedAt = performance.now()
    if (await store.renew(held)) confirmedAt = askedAt
    else lost.abort()
  }
  const renewIn = (waitMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const own = timer
      const held = revision
      if (held === undefined) return
      let nextMs = renewMs
      try {
        await renew(held)
      } catch (err) {
        nextMs = retryMs
        log.warn({ err }, "A claim could not be renewed")
      }
      if (timer === own && !lost.signal.aborted) renewIn(nextMs)
    }, waitMs)
  }
  const end = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    revision: () => revision ?? from,
    isTaken: () => revision !== undefined,
    lost: lost.signal,
    async hold() {
      if (revision === undefined) await take()
      else if (performance.now() - confirmedAt > sureMs) await renew(revision)
      return revision !== undefined && !lost.signal.aborted
    },
    end,
    async giveUp() {
      end()
      if (!isAsked) return
      try {
        // Not `revision`: the answer to a claim that was taken may have got lost.
        await store.release(from + 1)
      } catch (err) {
        log.warn({ err }, "A claim could not be given up")
      }
    },
  }
}
