/** Serves GET /chat/{publicId}/icon: the icon of a published bot, for its page and its bubble. */
import { findChatPage } from "../../db/bots/publishedBots.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { redirect, sendEmpty, sendText } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { html } from "./html.ts"
import { iconPath, publicIdIn, webAddress } from "./pagePlace.ts"

export function createBotIcon({ db }: { db: Db }): Endpoint {
  return {
    path: /^\/chat\/([^/]+)\/icon$/,
    operation: "botIcon",
    isForChats: true,
    answer: (exchange, [, segment = ""]) =>
      exchange.method === "GET" || exchange.method === "HEAD"
        ? answer(db, exchange, segment)
        : undefined,
  }
}

/** 204 without an icon, and for unknown bots: a bubble then shows its usual mark, and nothing is reported as broken. */
async function answer(db: Db, exchange: Exchange, segment: string) {
  const publicId = publicIdIn(segment)
  const row = publicId === undefined ? undefined : await findChatPage(db, publicId)
  Object.assign(exchange.headers, {
    "cache-control": "public, max-age=300",
    "cross-origin-resource-policy": "cross-origin",
  })
  const address = webAddress(row?.icon)
  if (address !== undefined) return redirect(exchange, 302, address)
  const sign = signIn(row?.icon)
  if (sign === undefined) return sendEmpty(exchange, 204)
  exchange.headers["content-type"] = "image/svg+xml; charset=utf-8"
  exchange.headers["content-security-policy"] = "default-src 'none'; sandbox"
  return sendText(exchange, 200, drawSign(sign))
}

/** Where a page finds the icon of a bot; undefined: it has none. */
export function iconAddress(publicId: string, icon: string | null): string | undefined {
  const address = webAddress(icon)
  if (address !== undefined || signIn(icon) === undefined) return address
  return iconPath(publicId)
}

const signs = new Intl.Segmenter("en", { granularity: "grapheme" })

/** In UTF-16 units; the longest emoji, families with skin tones, have some 25. */
const maxSignLength = 40

/** The first sign of a text, such as an emoji; undefined: it has none that can be drawn. */
function signIn(icon: string | null | undefined): string | undefined {
  const text = icon?.trim().slice(0, 2 * maxSignLength) ?? ""
  const [first] = signs.segment(text)
  const sign = first?.segment ?? ""
  // XML has no characters of control, and no halves of others.
  const isDrawn = /^[^\p{Cc}\p{Cs}\p{Cn}]+$/u.test(sign) && sign.length <= maxSignLength
  return isDrawn ? sign : undefined
}

function drawSign(sign: string): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text x="50" y="50" font-size="80" text-anchor="middle" dominant-baseline="central" font-family="system-ui,sans-serif">${sign}</text></svg>`
    .html
}
