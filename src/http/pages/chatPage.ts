/** GET /chat/{publicId}: the page of a published bot. */
import { findChatPage } from "../../db/bots/chatPages.ts"
import type { Snapshots } from "../../db/chats/snapshots.ts"
import type { Db } from "../../db/connection/open.ts"
import { cut } from "../../engine/cut.ts"
import { memoize } from "../../engine/memoize.ts"
import type { Settings } from "../../engine/schema/settings.ts"
import { texts } from "../../engine/texts.ts"
import { elementsOf } from "../../engine/turn/startProps.ts"
import { addVary } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { type Html, html, sendPage, styleSource, wordsPolicy } from "./html.ts"

/** What the page is made of. */
export type ChatPageOptions = {
  db: Db
  snapshots: Pick<Snapshots, "load">
  /** Where the script is, with its version. */
  scriptAddress(): Promise<string>
  /** Whether code of authors runs in the page itself, with all that the page may do. */
  trustsAuthors: boolean
}

/** Answers for every public id; unknown and closed bots have a page that says so. */
export function createChatPage(options: ChatPageOptions): Endpoint {
  return {
    path: /^\/chat\/([^/]+)\/?$/,
    operation: "chatPage",
    isOpen: false,
    answer: (exchange, [, segment = ""]) =>
      exchange.method === "GET" || exchange.method === "HEAD"
        ? answer(options, exchange, segment)
        : undefined,
  }
}

async function answer(
  options: ChatPageOptions,
  exchange: Exchange,
  segment: string,
): Promise<void> {
  const { db, snapshots, trustsAuthors } = options
  const publicId = decode(segment)
  const row = publicId === undefined ? undefined : await findChatPage(db, publicId)
  const snapshot = row && (await snapshots.load(row.versionId))
  if (publicId === undefined || !row || !snapshot) {
    return sendWords(exchange, 404, "There is no such chat", "Perhaps its address has changed.")
  }
  const { settings } = snapshot.bot.flow
  if (row.isClosed || row.isSuspended) {
    const words = row.isClosed ? settings.general?.systemMessages?.botClosed : undefined
    return sendWords(exchange, 403, row.name, cut(words || texts.botClosed, longestText))
  }
  const script = await options.scriptAddress()
  const allowed = settings.security?.allowedOrigins ?? []
  return sendPage(exchange, {
    lang: languageOf(exchange),
    head: html`${headOf(settings, row.name, trustsAuthors)}
<script src="${script}" async></script>`,
    body: html`<main>
<h1 class="for-readers">${titleOf(settings, row.name)}</h1>
<noscript><p class="words">This chat needs JavaScript.</p></noscript>
<parley-chat page bot="${publicId}"${trustsAuthors ? html` trusted` : undefined}></parley-chat>
</main>`,
    policy: [
      ...(trustsAuthors ? openPolicy : strictPolicy),
      `frame-ancestors ${ancestors(allowed)}`,
    ],
  })
}

function decode(segment: string): string | undefined {
  try {
    const publicId = decodeURIComponent(segment)
    // PostgreSQL has no such character in texts.
    return publicId.includes("\0") ? undefined : publicId
  } catch {
    return undefined
  }
}

function sendWords(
  exchange: Exchange,
  status: number,
  title: string,
  words: string,
): Promise<void> {
  return sendPage(exchange, {
    status,
    lang: "en",
    head: html`<title>${title}</title>
<meta name="robots" content="noindex">`,
    body: html`<main class="words"><h1>${title}</h1><p>${words}</p></main>`,
    policy: wordsPolicy,
  })
}

/** What authors show comes from anywhere; what runs comes from here, and from where people pay. */
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

/** For services whose authors are all trusted: trackers and head code load what they like. */
const openPolicy = [
  "default-src http: https: data: blob:",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' http: https: blob:",
  "style-src 'unsafe-inline' http: https:",
  "object-src 'none'",
  "base-uri 'none'",
]

/** Proxies and browsers refuse headers that are much longer, in characters. */
const longestSources = 4_000

function ancestors(allowed: readonly string[]): string {
  if (allowed.length === 0) return "*"
  let sources = "'self'"
  for (const origin of allowed) {
    if (sources.length + origin.length > longestSources) break
    if (/^https?:\/\/[\w.:[\]*-]+$/.test(origin)) sources += ` ${origin}`
  }
  return sources
}

/** The words of the page come from the author, in a language that only the reader can guess. */
function languageOf(exchange: Exchange): string {
  addVary(exchange, "accept-language")
  const asked = headerOf(exchange.request, "accept-language") ?? ""
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*(?=$|[,;])/.exec(asked)?.[0] ?? "en"
}

function titleOf(settings: Settings, name: string): string {
  return partsOf(settings).title ?? cut(name, longestTitle)
}

function headOf(settings: Settings, name: string, trustsAuthors: boolean): Html {
  const { customHeadCode = "", allowIndexing } = settings.metadata ?? {}
  const { description, image, icon, marks } = partsOf(settings)
  const title = titleOf(settings, name)
  return html`<title>${title}</title>
<meta property="og:title" content="${title}">
${named("name", "description", description)}
${named("property", "og:description", description)}
${named("property", "og:image", image)}
${named("name", "robots", allowIndexing === false ? "noindex" : undefined)}
${iconOf(icon)}
${trustsAuthors ? { html: elementsOf(customHeadCode) } : marks}`
}

/**
 * As much as search engines and previews of links show, in characters. Everybody may open a page, and
 * the service holds it until the slowest reader has it: a page has some kilobytes, whatever its author
 * writes.
 */
const longestTitle = 300
const longestText = 1_000
const longestAddress = 2_000
const mostMarks = 20

/** What the head of a page takes from its author, made once for each version in memory. */
const partsOf = memoize(({ metadata = {} }: Settings) => {
  const { title, description, imageUrl, favIconUrl, customHeadCode = "" } = metadata
  return {
    title: filled(title, longestTitle),
    description: filled(description, longestText),
    image: webAddress(imageUrl),
    icon: webAddress(favIconUrl),
    marks: ownersMarks(customHeadCode),
  }
})

function named(
  kind: "name" | "property",
  name: string,
  content: string | undefined,
): Html | undefined {
  if (content === undefined) return undefined
  return kind === "name"
    ? html`<meta name="${name}" content="${content}">`
    : html`<meta property="${name}" content="${content}">`
}

function iconOf(address: string | undefined): Html | undefined {
  return address === undefined ? undefined : html`<link rel="icon" href="${address}">`
}

/** Variables have no values before the chat starts; its page then replaces these texts. */
function filled(text: string | undefined, length: number): string | undefined {
  const words = text?.replace(/\{\{[^{}]*\}\}/g, "").trim()
  return words ? cut(words, length) : undefined
}

function webAddress(text: string | undefined): string | undefined {
  const isWeb = text !== undefined && text.length <= longestAddress && /^https?:\/\//i.test(text)
  return isWeb && URL.canParse(text) ? new URL(text).href : undefined
}

/** The first meta elements of an author's HTML, which run nothing, such as proofs of site ownership. */
function ownersMarks(code: string): Html[] {
  const marks = [...code.matchAll(/<meta\s([^<>]*)>/gi)].flatMap(([, attributes = ""]) => {
    const read = (name: string) =>
      new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(attributes)
    const [kind, found] = read("name") ? ["name", read("name")] : ["property", read("property")]
    const name = found?.[1] ?? found?.[2]
    const content = read("content")
    if (
      !name ||
      !content ||
      attributes.length > longestText ||
      /^(?:viewport|referrer|robots|color-scheme)$/i.test(name)
    )
      return []
    return named(kind === "name" ? "name" : "property", name, content[1] ?? content[2] ?? "") ?? []
  })
  return marks.slice(0, mostMarks)
}
