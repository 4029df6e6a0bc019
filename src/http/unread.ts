/** Bounds written bytes that wait for slow readers. */
import type { ServerResponse } from "node:http"
import { unavailable } from "../lib/errors.ts"
import { amounts } from "../lib/shares.ts"
import { type ByteBudget, createByteBudget } from "./byteBudget.ts"

export function createUnread(maxBytes: number = amounts.unread.most): ByteBudget {
  return createByteBudget({
    maxBytes,
    shares: 4,
    refuse: (isShareUsed) => {
      const whose = isShareUsed ? "to this address " : ""
      return unavailable(`Too many answers ${whose}wait to be read`, 1)
    },
  })
}

/** Counts bytes of a response until its reader has all of it, or has left. Returns their release. */
export function holdUnread(
  { unread, ip, response }: { unread: ByteBudget; ip: string; response: ServerResponse },
  bytes: number,
): () => void {
  let held = bytes
  const free = () => {
    response.off("close", free)
    unread.add(ip, -held)
    held = 0
  }
  unread.add(ip, bytes)
  response.on("close", free)
  return free
}
