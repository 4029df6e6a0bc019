/** Bounds the memory of request bodies: per address, of all, and in small parts. */

import { createCap } from "../../lib/caps.ts"
import { AppError, tooLarge, unavailable } from "../../lib/errors.ts"
import { openFairQueue } from "../../lib/fairQueue.ts"
import { addressParty, networkOf } from "../../lib/party.ts"
import { createByteBudget } from "../byteBudget.ts"

/** The memory that the bodies of one process may take. */
export type BodyBudget = ReturnType<typeof createBodyBudget>

/** The reservation of one request body. */
export type BodyAccount = {
  /**
   * Reserves memory for a body of that length, so that no body is read that could not be kept; refuses
   * with 503 when too little is left.
   */
  reserve(bytes: number): void
  /** Counts a received part; refuses with 503 beyond the budget. */
  take(bytes: number): void
  /** Waits until a large body from this address may be handled; 503 when too many wait. */
  turn(): Promise<void>
  /** Permits to discard a refused body. Returns its release; undefined: too many are being discarded. */
  drain(): (() => void) | undefined
  /** Gives back everything: the request is done. */
  close(): void
}

/** One caller, which is an address or an IPv6 network, may hold a quarter, and less while others hold much. */
const shares = 4
/** Overhead per part: a buffer and its place in a list. */
const partOverheadBytes = 256
/** Bodies up to this size are exempt, so that chats continue when the budget is used up. */
const smallBytes = 4_096
const retryAfterSeconds = 1
/** A request that waits for the outside world holds up other large bodies no longer than this. */
const maxTurnMs = 250

export function createBodyBudget(maxBytes: number) {
  // One large body at a time is parsed and handled.
  const turns = openFairQueue("largeBodies")
  // To discard a body costs time and no memory.
  const admitDrain = createCap("drains")
  const budget = createByteBudget({ maxBytes, shares, refuse: tooManyBytes })
  return {
    /** Bytes reserved: announced lengths, and received bytes of bodies without one. */
    heldBytes: () => budget.heldBytes,
    /** Opens the account of one request from an address. */
    open: (ip: string): BodyAccount => {
      let came = 0
      let held = 0
      let endTurn: (() => void) | undefined
      const hold = (bytes: number) => {
        if (bytes <= Math.max(held, smallBytes)) return
        budget.requireRoom(ip, bytes - held)
        budget.add(ip, bytes - held)
        held = bytes
      }
      return {
        reserve: hold,
        take: (bytes) => {
          hold(came + bytes + partOverheadBytes)
          came += bytes + partOverheadBytes
        },
        turn: async () => {
          const leave = await turns.enter(addressParty(ip))
          if (!leave) throw unavailable("Too many large request bodies wait", retryAfterSeconds)
          const timer = setTimeout(leave, maxTurnMs)
          endTurn = () => {
            clearTimeout(timer)
            leave()
          }
        },
        drain: () => {
          try {
            return admitDrain({ address: networkOf(ip) }, () => new Error("Too many"))
          } catch {
            return undefined
          }
        },
        close: () => {
          if (held > 0) budget.add(ip, -held)
          held = 0
          endTurn?.()
        },
      }
    },
  }
}

function tooManyBytes(isShareUsed: boolean) {
  const whose = isShareUsed ? "from this address " : ""
  return unavailable(`Too many request bodies ${whose}are under way`, retryAfterSeconds)
}

/**
 * Parts that any body may have. One read of 64 kB has up to 10,900 chunks of a byte: each takes Node's
 * parser almost a microsecond, and twice as much again until the body is refused.
 */
const anyParts = 1_000
/** With more parts, their least size on average. Packets of slow networks have over 500 bytes. */
const minAverageBytes = 64

const tooManyParts = "The body comes in too many small parts"

/** Refuses with 413 a body in too many parts. */
export function requireParts(parts: number, bytes: number): void {
  if (isTooFine(parts, bytes)) throw tooLarge(tooManyParts, anyParts, "parts")
}

/** Whether a body was refused for the number of its parts. */
export function hadTooManyParts(error: unknown): boolean {
  return error instanceof AppError && error.message === tooManyParts
}

/** Whether a body is in too many parts for its size. */
export function isTooFine(parts: number, bytes: number): boolean {
  return parts > anyParts && bytes < parts * minAverageBytes
}
