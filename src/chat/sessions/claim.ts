/** A turn's claim on its session: taken before its first outside effect, and renewed while it runs. */
import type { Log } from "../../telemetry/log.ts"

/** How long the session of a process that has died stays claimed. */
const claimSeconds = 8

/** Three renewals may fail before the claim runs out. */
const renewMs = 2_000
const retryMs = 500
/** A claim confirmed more recently than this is ours, by any clock. */
const sureMs = 4_000

/** A session that turns can claim, by revision. */
export type Claimable = {
  /** The revision to save from; undefined: another turn won. */
  claim(revision: number): Promise<number | undefined>
  /** Renews the claim that has this revision; false: another turn won. */
  renew(revision: number): Promise<boolean>
  /** Ends the claim of this process that has this revision, if there is one. */
  release(revision: number): Promise<void>
}

/** Claims of a session that no other request can know. */
export const unshared: Claimable = {
  claim: async (revision) => revision,
  renew: async () => true,
  release: async () => {},
}

/** The process that claims, and the duration of claims. */
export function claimant({ processId }: { processId: string }): { seconds: number; by: string } {
  return { seconds: claimSeconds, by: processId }
}

/** The claim that one turn may take. */
export type Claim = {
  /** The revision to save from; void once another turn has claimed or saved. */
  revision(): number
  /** Whether it was taken, so that something may have been done outside. */
  isTaken(): boolean
  /**
   * Makes sure, before every outside effect, that the session is ours: takes it the first time, and
   * checks again after the process or the database stood still. False: another turn won.
   */
  ensure(): Promise<boolean>
  /** Aborts when another turn has the session. */
  lost: AbortSignal
  /** Stops renewing it. Must be called when the turn is over, however it ended. */
  end(): void
  /** Gives it up when the turn stores nothing; a claim that cannot be released expires. */
  release(): Promise<void>
}

/** Opens the claim of a turn that read the session at a revision. */
export function openClaim(claims: Claimable, from: number, { log }: { log: Log }): Claim {
  const lost = new AbortController()
  let revision: number | undefined
  let isAsked = false
  let confirmedAt = 0

  const take = async () => {
    isAsked = true
    confirmedAt = performance.now()
    revision = await claims.claim(from)
    if (revision !== undefined) renewals.next(renewMs)
  }
  const renew = async (claimed: number) => {
    const askedAt = performance.now()
    if (await claims.renew(claimed)) confirmedAt = askedAt
    else lost.abort()
  }
  const renewals = repeat(async () => {
    let nextMs = renewMs
    try {
      if (revision !== undefined) await renew(revision)
    } catch (err) {
      nextMs = retryMs
      log.warn({ err }, "A claim could not be renewed")
    }
    return lost.signal.aborted ? undefined : nextMs
  })
  return {
    revision: () => revision ?? from,
    isTaken: () => revision !== undefined,
    lost: lost.signal,
    async ensure() {
      if (revision === undefined) await take()
      const isOld = performance.now() - confirmedAt > sureMs
      if (revision !== undefined && isOld) await renew(revision)
      return revision !== undefined && !lost.signal.aborted
    },
    end: renewals.end,
    async release() {
      renewals.end()
      if (!isAsked) return
      try {
        // Not `revision`: the answer to a claim that was taken may have been lost.
        await claims.release(from + 1)
      } catch (err) {
        log.warn({ err }, "A claim could not be released")
      }
    },
  }
}

/** Repeats work, which returns the milliseconds until it is due again; undefined: never. */
function repeat(work: () => Promise<number | undefined>) {
  let timer: NodeJS.Timeout | undefined
  const next = (waitMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const current = timer
      const nextMs = await work()
      if (timer === current && nextMs !== undefined) next(nextMs)
    }, waitMs)
  }
  const end = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return { next, end }
}
