/** Counts request bodies in memory, so that neither one address nor all together fill it, and their parts. */
import { networkOf } from "../../chat/network.ts"
import { tooLarge, unavailable } from "../../errors.ts"
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
/** So much is always taken and not counted, so that chats go on while others hold everything. */
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
      let came = 0
      let held = 0
      let endTurn: (() => void) | undefined
      const hold = (bytes: number) => {
        if (bytes <= Math.max(held, smallBytes)) return
        tally.take(networkOf(ip), bytes - held)
        held = bytes
      }
      return {
        reserve: hold,
        take: (bytes) => {
          hold(came + bytes + partOverheadBytes)
          came += bytes + partOverheadBytes
        },
        turn: async () => {
          endTurn = await turns.take(networkOf(ip))
        },
        drain: () => {
          if (drains >= maxDrains) return undefined
          drains += 1
          return () => {
            drains -= 1
          }
        },
        close: () => {
          if (held > 0) tally.take(networkOf(ip), -held)
          held = 0
          endTurn?.()
        },
      }
    },
  }
}

/** What all hold. `take` refuses with 503 what is too much, and takes a negative number back. */
type Tally = { heldBytes(): number; take(owner: string, bytes: number): void }

function openTally(maxBytes: number): Tally {
  const shareBytes = Math.floor(maxBytes / shares)
  const byOwner = new Map<string, number>()
  let all = 0
  return {
    heldBytes: () => all,
    take: (owner, bytes) => {
      const held = (byOwner.get(owner) ?? 0) + bytes
      const isShareUsed = held > shareBytes
      if (bytes > 0 && (isShareUsed || all + bytes > maxBytes)) throw tooManyBytes(isShareUsed)
      all += bytes
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

/** One read of 64 kB has up to 10,900 chunks of one byte, which take some 15 ms. */
const anyParts = 10_000
/** Beyond, they must be as large as this on average. Packets of slow networks have over 500 bytes. */
const leastAverageBytes = 64

/** Refuses with 413 a body of so many bytes in so many parts. */
export function requireParts(parts: number, bytes: number): void {
  if (isTooFine(parts, bytes)) throw tooLarge("The body comes in too many small parts")
}

/** Whether so many bytes come in too many parts. */
export function isTooFine(parts: number, bytes: number): boolean {
  return parts > anyParts && bytes < parts * leastAverageBytes
}
