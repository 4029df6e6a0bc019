/** Serves GET /chat/{publicId}: the page of a published bot. */
import { plainOrigin } from "../../chat/sessions/loadSession.ts"
import { findChatPage } from "../../db/bots/publishedBots.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import type { Snapshots } from "../../effects/snapshots.ts"
import type { Settings } from "../../engine/schema/settings.ts"
import { textsIn } from "../../engine/texts.ts"
import { elementsOf } from "../../engine/turn/startProps.ts"
import { cut } from "../../lib/cut.ts"
import { type Language, languageFor } from "../../lib/languages.ts"
import { memoize } from "../../lib/memoize.ts"
import { addVary, redirect } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { acceptedLanguages } from "./acceptedLanguages.ts"
import { iconAddress } from "./botIcon.ts"
import { type Html, html, sendPage, styleSource, wordsPolicy } from "./html.ts"
import { publicIdIn, webAddress } from "./pagePlace.ts"

export type ChatPageOptions = {
  db: Db
  snapshots: Pick<Snapshots, "load">
  /** Returns the path of the script, with its version. */
  scriptAddress(): Promise<string>
  /** Whether authors' code runs in the page itself, with all its rights. */
  trustsAuthors: boolean
  /** An origin of its own for these pages; absent: they are on that of the service. */
  chatUrl?: string | undefined
}

/** Answers for every public id; for unknown and closed bots with a page that says so. */
export function createChatPage(options: ChatPageOptions): Endpoint {
  return {
    path: /^\/chat\/([^/]+)\/?$/,
    operation: "chatPage",
    isForChats: true,
    answer: (exchange, [, segment = ""]) =>
      exchange.method === "GET" || exchange.method === "HEAD"
        ? answer(options, exchange, segment)
        : undefined,
  }
}

async function answer(options: ChatPageOptions, exchange: Exchange, segment: string) {
  const { db, snapshots, trustsAuthors, chatUrl } = options
  if (chatUrl !== undefined && !exchange.isOnChatOrigin) {
    const query = exchange.search && `?${exchange.search}`
    return redirect(exchange, 302, `${chatUrl}${exchange.path}${query}`)
  }
  const publicId = publicIdIn(segment)
  const row = publicId === undefined ? undefined : await findChatPage(db, publicId)
  const snapshot = row && (await snapshots.load(row.versionId))
  if (publicId === undefined || !row || !snapshot) {
    const lang = languageOf(exchange)
    const { noSuchChat: title, hasMoved: words } = textsIn(lang)
    return sendWords(exchange, 404, { lang, title, words })
  }
  const { settings } = snapshot.bot.flow
  const lang = languageOf(exchange, settings)
  const texts = textsIn(lang)
  const title = titleOf(settings, row.name)
  const icon = partsOf(settings).icon ?? iconAddress(publicId, row.icon)
  if (row.isClosed || row.isSuspended) {
    const words = row.isClosed ? settings.general?.systemMessages?.botClosed : undefined
    const closed = cut(words || texts.botClosed, maxTextLength)
    return sendWords(exchange, 403, { lang, title, words: closed, icon })
  }
  const allowed = settings.security?.allowedOrigins ?? []
  if (isFramedElsewhere(exchange, allowed)) {
    return sendWords(exchange, 403, { lang, title, words: texts.siteNotAllowed, icon })
  }
  const script = await options.scriptAddress()
  return sendPage(exchange, {
    lang,
    icon,
    head: html`${headOf(settings, row.name, trustsAuthors)}
<script src="${script}" async></script>`,
    body: html`<main>
<h1 class="for-readers">${title}</h1>
<noscript><p class="words">${texts.needsScript}</p></noscript>
<parley-chat page bot="${publicId}"${trustsAuthors ? html` trusted` : undefined}></parley-chat>
</main>`,
    policy: [
      ...(trustsAuthors ? openPolicy : strictPolicy),
      `frame-ancestors ${ancestors(allowed)}`,
    ],
  })
}

/** The message of a page without a chat, and the address of an icon. */
type Words = { lang: Language; title: string; words: string; icon?: string | undefined }

function sendWords(exchange: Exchange, status: number, said: Words): Promise<void> {
  const { lang, title, words, icon = "/embed/icon.svg" } = said
  return sendPage(exchange, {
    status,
    lang,
    head: html`<title>${title}</title>
<meta name="robots" content="noindex">`,
    body: html`<main class="words"><img src="${icon}" alt="" width="48" height="48"><h1>${title}</h1><p>${words}</p></main>`,
    policy: wordsPolicy,
  })
}

/** Media from any origin; scripts only from this service, and from Stripe for payments. */
const strictPolicy = [
  "default-src 'none'",
  "script-src 'self' https://js.stripe.com",
  `style-src ${styleSource}`,
  "img-src http: https:",
  "media-src http: https:",
  "font-src http: https: data:",
  "connect-src http: https:",
  "frame-src http: https:",
  "base-uri 'none'",
  "form-action 'none'",
]

/** For services that trust all their authors: trackers and head code load what they like. */
const openPolicy = [
  "default-src http: https: data: blob:",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' http: https: blob:",
  "style-src 'unsafe-inline' http: https:",
  "object-src 'none'",
  "base-uri 'none'",
]

/** In characters; proxies and browsers refuse headers that are much longer. */
const maxSourcesLength = 4_000

/**
 * Whether a page that the author has not listed shows this one in a frame. Browsers that do not say so
 * refuse the frame by themselves, without words.
 */
function isFramedElsewhere(exchange: Exchange, allowed: readonly string[]): boolean {
  const header = (name: string) => headerOf(exchange.request, name)
  if (allowed.length === 0 || header("sec-fetch-dest") !== "iframe") return false
  const referrer = header("referer") ?? ""
  if (header("sec-fetch-site") === "same-origin" || !URL.canParse(referrer)) return false
  return !allowed.map(plainOrigin).includes(new URL(referrer).origin)
}

function ancestors(allowed: readonly string[]): string {
  if (allowed.length === 0) return "*"
  let sources = "'self'"
  for (const origin of allowed.map(plainOrigin)) {
    if (sources.length + origin.length > maxSourcesLength) break
    if (/^https?:\/\/[\w.:[\]*-]+$/.test(origin)) sources += ` ${origin}`
  }
  return sources
}

/** The language of the page: that of the bot, else one that the reader accepts. */
function languageOf(exchange: Exchange, settings?: Settings): Language {
  addVary(exchange, "accept-language")
  const accepted = acceptedLanguages(headerOf(exchange.request, "accept-language") ?? "")
  return languageFor([settings?.general?.language, ...accepted]) ?? "en"
}

function titleOf(settings: Settings, name: string): string {
  return partsOf(settings).title ?? cut(name, maxTitleLength)
}

function headOf(settings: Settings, name: string, trustsAuthors: boolean): Html {
  const { customHeadCode = "", allowIndexing } = settings.metadata ?? {}
  const { description, image, metaElements } = partsOf(settings)
  const title = titleOf(settings, name)
  return html`<title>${title}</title>
<meta property="og:title" content="${title}">
${metaOf("name", "description", description ?? title)}
${metaOf("property", "og:description", description)}
${metaOf("property", "og:image", image)}
${metaOf("name", "robots", allowIndexing === false ? "noindex" : undefined)}
${trustsAuthors ? { html: elementsOf(customHeadCode) } : metaElements}`
}

/**
 * Max characters, as search engines and link previews show. A page is public and stays in memory until
 * the slowest reader has it, so its size is bounded.
 */
const maxTitleLength = 300
const maxTextLength = 1_000
const maxMetaElements = 20

/** The metadata of the author for the head of a page, computed once per version in memory. */
const partsOf = memoize(({ metadata = {} }: Settings) => {
  const { title, description, imageUrl, favIconUrl, customHeadCode = "" } = metadata
  return {
    title: filled(title, maxTitleLength),
    description: filled(description, maxTextLength),
    image: webAddress(imageUrl),
    icon: webAddress(favIconUrl),
    metaElements: metaElementsIn(customHeadCode),
  }
})

function metaOf(kind: "name" | "property", name: string, content: string | Html | undefined) {
  return content === undefined
    ? undefined
    : html`<meta ${{ html: kind }}="${name}" content="${content}">`
}

/** Variables have no values before the chat starts; the page replaces these texts then. */
function filled(text: string | undefined, length: number): string | undefined {
  const words = text?.replace(/\{\{[^{}]*\}\}/g, "").trim()
  return words ? cut(words, length) : undefined
}

/** The first meta elements of an author's HTML, such as proofs of site ownership, which run nothing. */
function metaElementsIn(code: string): Html[] {
  const elements = [...code.matchAll(/<meta\s([^<>]*)>/gi)].flatMap(([, attributes = ""]) => {
    const read = (name: string) => {
      const pattern = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i")
      const [, quoted, other] = pattern.exec(attributes) ?? []
      return quoted ?? other
    }
    const kind = read("name") ? "name" : "property"
    const name = read(kind)
    const content = read("content")
    const isOurs = /^(?:viewport|referrer|robots|color-scheme)$/i.test(name ?? "")
    if (!name || content === undefined || isOurs || attributes.length > maxTextLength) return []
    // It is HTML already and has no angle brackets, so only this sign could end the attribute.
    return metaOf(kind, name, { html: content.replaceAll('"', "&quot;") }) ?? []
  })
  return elements.slice(0, maxMetaElements)
}
