/** Serves GET /metrics for Prometheus, to this machine or to holders of the token. */
import { createHash, timingSafeEqual } from "node:crypto"
import { AppError } from "../../lib/errors.ts"
import { plainHost } from "../../lib/plainHost.ts"
import { addVary, sendText } from "../answer.ts"
import { type Exchange, headerOf } from "../exchange.ts"

/** Source of the page, and its token. */
type MetricsPage = {
  /** Returns the metrics as text, with their content type. */
  read(): Promise<{ text: string; contentType: string }>
  /** Required of every caller; absent: only this machine may read. */
  token?: string | undefined
  /** By whose host name this machine may read, too. */
  publicUrl: string
}

/** Creates the page, which is 404 without the token. */
export function createMetricsPage({ read, token, publicUrl }: MetricsPage) {
  const publicName = plainHost(new URL(publicUrl).hostname)
  return async (exchange: Exchange): Promise<void> => {
    addVary(exchange, "authorization")
    const isAllowed =
      token === undefined ? isLocal(exchange, publicName) : hasToken(exchange, token)
    if (!isAllowed) throw new AppError("NOT_FOUND", "Unknown path or method")
    const { text, contentType } = await read()
    exchange.headers["content-type"] = contentType
    sendText(exchange, 200, text)
  }
}

const loopback = /^(127\.|::1$|::ffff:127\.)/

const ownName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Whether the caller is on this machine: not behind a local proxy, and not a request from a web
 * page whose host name resolves to this machine meanwhile (DNS rebinding).
 */
function isLocal({ request }: Exchange, publicName: string): boolean {
  const name = plainHost((headerOf(request, "host") ?? "").replace(/:\d*$/, ""))
  if (!ownName.test(name) && name !== publicName) return false
  const isForwarded = ["x-forwarded-for", "forwarded", "x-real-ip", "via"].some(
    (name) => request.headers[name] !== undefined,
  )
  return !isForwarded && loopback.test(request.socket.remoteAddress ?? "")
}

function hasToken({ request }: Exchange, token: string): boolean {
  const sent = /^Bearer\s+(\S+)$/i.exec(headerOf(request, "authorization") ?? "")?.[1]
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token))
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
