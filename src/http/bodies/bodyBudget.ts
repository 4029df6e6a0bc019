/** Counts the request bodies in memory, so that neither one address nor all together fill it. */
import { unavailable } from "../../shared/errors.ts"
import { networkOf } from "../../shared/network.ts"

/** Where the bodies of one process are counted. */
export type BodyBudget = {
  /** Opens the account of one request from an address. */
  open(ip: string): BodyAccount
  /** What is in memory now, as it counts. */
  heldBytes(): number
}

/** What one request holds. */
export type BodyAccount = {
  /** Refuses with 503 a body of a length for which there is no room now; promises it none. */
  announce(bytes: number): void
  /** Counts a part that has come; refuses with 503 what is too much. */
  take(bytes: number): void
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

/** Opens the budget of a process. */
export function openBodyBudget(maxBytes: number): BodyBudget {
  const shareBytes = Math.floor(maxBytes / shares)
  const byOwner = new Map<string, number>()
  let all = 0
  return {
    heldBytes: () => all,
    open: (ip) => {
      const owner = networkOf(ip)
      let own = 0
      const requireRoom = (bytes: number) => {
        if (own + bytes <= smallBytes) return
        const isShareUsed = (byOwner.get(owner) ?? 0) + bytes > shareBytes
        if (isShareUsed || all + bytes > maxBytes) throw tooManyBytes(isShareUsed)
      }
      const add = (bytes: number) => {
        own += bytes
        all += bytes
        const held = (byOwner.get(owner) ?? 0) + bytes
        if (held > 0) byOwner.set(owner, held)
        else byOwner.delete(owner)
      }
      return {
        announce: requireRoom,
        take: (bytes) => {
          requireRoom(bytes + partOverheadBytes)
          add(bytes + partOverheadBytes)
        },
        close: () => add(-own),
      }
    },
  }
}

/** For tests and generators: everything is taken. */
export const unlimitedBodies: BodyBudget = openBodyBudget(Number.POSITIVE_INFINITY)

function tooManyBytes(isShareUsed: boolean) {
  const whose = isShareUsed ? "from this address " : ""
  return unavailable(`Too many request bodies ${whose}are under way`, retryAfterSeconds)
}
