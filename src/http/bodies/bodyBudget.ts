/** Counts the request bodies in memory, so that neither one address nor all together fill it. */
import { unavailable } from "../../shared/errors.ts"
import { networkOf } from "../../shared/network.ts"
import { openBodyTurns } from "./bodyTurns.ts"

/** Where the bodies of one process are counted. */
export type BodyBudget = {
  /** Opens the account of one request from an address. */
  open(ip: string): BodyAccount
  /** What is reserved now: lengths that were announced, and what came without. */
  heldBytes(): number
}

/** What one request holds. */
export type BodyAccount = {
  /**
   * Reserves room for a body of that length, so that none is read that could not be kept; refuses
   * with 503 when there is too little.
   */
  reserve(bytes: number): void
  /** Counts a part that has come; refuses with 503 what is too much. */
  take(bytes: number): void
  /** Waits until a large body from this address may be worked on. */
  turn(): Promise<void>
  /** Allows a refused body to be read away; undefined: too many are. Returns what ends it. */
  drain(): (() => void) | undefined
  /** Gives back everything: the request is done. */
  close(): void
}

/** One address, or network of one caller, may hold a quarter. */
const shares = 4
/** What a part costs beside its bytes: a buffer, and its place in a list. */
const partOverheadBytes = 256
/** So much is always taken, so that chats go on while others hold everything. */
const smallBytes = 4_096
const retryAfterSeconds = 1
/** Reading away costs time and no memory. */
const maxDrains = 8

/** Opens the budget of a process. */
export function openBodyBudget(maxBytes: number): BodyBudget {
  const turns = openBodyTurns()
  const tally = openTally(maxBytes)
  let drains = 0
  return {
    heldBytes: tally.heldBytes,
    open: (ip) => {
      const owner = networkOf(ip)
      let came = 0
      let held = 0
      let endTurn: (() => void) | undefined
      const hold = (bytes: number) => {
        if (bytes <= held) return
        if (bytes > smallBytes) tally.requireRoom(owner, bytes - held)
        tally.add(owner, bytes - held)
        held = bytes
      }
      return {
        reserve: hold,
        take: (bytes) => {
          hold(came + bytes + partOverheadBytes)
          came += bytes + partOverheadBytes
        },
        turn: async () => {
          endTurn = await turns.take(owner)
        },
        drain: () => {
          if (drains >= maxDrains) return undefined
          drains += 1
          return () => {
            drains -= 1
          }
        },
        close: () => {
          tally.add(owner, -held)
          held = 0
          endTurn?.()
        },
      }
    },
  }
}

type Tally = {
  heldBytes(): number
  requireRoom(owner: string, bytes: number): void
  add(owner: string, bytes: number): void
}

function openTally(maxBytes: number): Tally {
  const shareBytes = Math.floor(maxBytes / shares)
  const byOwner = new Map<string, number>()
  let all = 0
  return {
    heldBytes: () => all,
    requireRoom: (owner, bytes) => {
      const isShareUsed = (byOwner.get(owner) ?? 0) + bytes > shareBytes
      if (isShareUsed || all + bytes > maxBytes) throw tooManyBytes(isShareUsed)
    },
    add: (owner, bytes) => {
      all += bytes
      const held = (byOwner.get(owner) ?? 0) + bytes
      if (held > 0) byOwner.set(owner, held)
      else byOwner.delete(owner)
    },
  }
}

/** For tests and generators: everything is taken. */
export const unlimitedBodies: BodyBudget = openBodyBudget(Number.POSITIVE_INFINITY)

function tooManyBytes(isShareUsed: boolean) {
  const whose = isShareUsed ? "from this address " : ""
  return unavailable(`Too many request bodies ${whose}are under way`, retryAfterSeconds)
}
