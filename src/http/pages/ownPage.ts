/**
 * Sends pages of the service itself, beside chat pages on the same origin. Chat pages can neither read, frame
 * nor reach into these, so that they may hold the secret of a session.
 */
import { unavailable } from "../../lib/errors.ts"
import { randomText } from "../../lib/ids.ts"
import { cookieIn, cookieName, pageSecret, setCookie } from "../../people/sessionCookie.ts"
import type { Settings } from "../../routers/context.ts"
import { addVary } from "../answer.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { type Html, html, type Page, sendPage } from "./html.ts"

/** Sends a page of the service, with the secret of the session if there is one. */
export async function sendOwnPage(
  exchange: Exchange,
  settings: Settings,
  { head, policy, ...page }: Page,
): Promise<void> {
  guardOwnPage(exchange)
  const secret = secretFor(exchange, settings, "session")
  await sendPage(exchange, {
    ...page,
    head: secret ? html`${head}\n<meta name="parley-session" content="${secret}">` : head,
    policy: [...policy, "frame-ancestors 'none'"],
  })
}

/** Sets the headers that keep other pages of the origin away. Refuses prefetches. */
function guardOwnPage(exchange: Exchange): void {
  for (const name of ["cookie", "sec-fetch-dest", "sec-fetch-mode", "sec-purpose"]) {
    addVary(exchange, name)
  }
  Object.assign(exchange.headers, {
    // Windows that open it, or that it opens, cannot reach into it.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "origin-agent-cluster": "?1",
    "x-frame-options": "DENY",
    // Not "no-referrer", with which forms would name no origin.
    "referrer-policy": "same-origin",
  })
  if (headerOf(exchange.request, "sec-purpose") === undefined) return
  throw unavailable("This page cannot be fetched in advance", 1)
}

/**
 * Whether the answer becomes the document of a tab, which no script of another page reads. Current browsers say
 * so where the service has TLS or is on the same machine.
 */
export function isNavigation({ request }: Exchange): boolean {
  const [dest, mode] = ["sec-fetch-dest", "sec-fetch-mode"].map((name) => headerOf(request, name))
  const isAhead = headerOf(request, "sec-purpose") !== undefined
  return (
    dest === "document" &&
    mode === "navigate" &&
    !isAhead &&
    request.headers["service-worker"] === undefined
  )
}

/** The secret for a document; undefined for other requests, and without a cookie. */
export function secretFor(
  exchange: Exchange,
  settings: Settings,
  name: "session" | "form",
): string | undefined {
  if (!isNavigation(exchange) || exchange.isOnChatOrigin) return undefined
  const cookie = cookieIn(exchange.request.headers.cookie ?? "", cookieName(settings, name))
  return cookie === undefined ? undefined : pageSecret(cookie)
}

const formSeconds = 24 * 60 * 60
const formLength = 43

/** The secret for sign-in forms, which follows from a cookie that the first form sets. */
export function formSecret(exchange: Exchange, settings: Settings): string | undefined {
  if (!isNavigation(exchange)) return undefined
  const known = secretFor(exchange, settings, "form")
  if (known !== undefined) return known
  const value = randomText(formLength)
  const cookie = setCookie(settings, { name: "form", value, seconds: formSeconds })
  exchange.response.appendHeader("set-cookie", cookie)
  return pageSecret(value)
}

/** The field of a form that sends the secret. */
export function secretField(secret: string): Html {
  return html`<input type="hidden" name="session" value="${secret}">`
}
