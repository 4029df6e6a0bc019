/** Serves the console, the app for builders: one page for all its addresses, and the files that it loads. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { AppError, notFound } from "../../lib/errors.ts"
import { randomText } from "../../lib/ids.ts"
import { once } from "../../lib/once.ts"
import type { Services } from "../../routers/context.ts"
import { type Prepared, prepare, redirect, requireMethod, sendPrepared } from "../answer.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { hashSource, html } from "./html.ts"
import { openerOf } from "./opener.ts"
import { sendOwnPage } from "./ownPage.ts"

/** What the build has written. */
type Manifest = { script: string; style: string; more: string; ahead: string[]; files: string[] }

type ConsoleOptions = {
  services: Pick<Services, "settings" | "findSignedIn">
  /** The output of the build. */
  folder: string
  /** Builds the console when it is not there; absent: it is built. */
  build?: (() => Promise<void>) | undefined
}

/** Shown until the styles are there, so that a dark screen stays dark. */
const firstStyle =
  ":root{color-scheme:light dark;background:#fff}@media (prefers-color-scheme:dark){:root{background:#14171e}}"

const nonceLength = 22

const types: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  woff2: "font/woff2",
}

export function createConsole({ services, folder, build }: ConsoleOptions): Endpoint {
  const manifest = once(async (): Promise<Manifest> => {
    const read = () => readFile(join(folder, "manifest.json"), "utf8")
    const text = await read().catch(async (cause) => {
      if (build === undefined)
        throw new AppError("NOT_FOUND", "The console was not built: npm run build", { cause })
      await build()
      return await read()
    })
    return JSON.parse(text)
  })
  const files = new Map<string, Promise<Prepared>>()
  return {
    path: /^\/console(?:\/(.*))?$/,
    operation: "console",
    answer: async (exchange, [, rest = ""]) => {
      requireMethod(exchange, "GET, HEAD", "The console is read with GET")
      const name = rest.match(/^assets\/(.+)$/)?.[1]
      if (name === undefined) return await sendConsole(exchange, services, await manifest())
      if (!(await manifest()).files.includes(name)) throw notFound("File of the console")
      const known = files.get(name) ?? readBuilt(join(folder, name))
      files.set(name, known)
      sendAsset(exchange, name, await known)
    },
  }
}

/** Sends the page to people who are signed in, and others to the sign-in. */
async function sendConsole(
  exchange: Exchange,
  services: ConsoleOptions["services"],
  { script, style, more, ahead }: Manifest,
): Promise<void> {
  if ((await openerOf(services, exchange)) === undefined) {
    const next = encodeURIComponent(exchange.path + (exchange.search ? `?${exchange.search}` : ""))
    return redirect(exchange, 302, `/signIn?next=${next}`)
  }
  const nonce = randomText(nonceLength)
  const addressOf = (name: string) => `/console/assets/${name}`
  await sendOwnPage(exchange, services.settings, {
    lang: "en",
    style: firstStyle,
    head: html`<title>Parley</title>
<meta name="parley-styles" content="${addressOf(more)}">
<link rel="stylesheet" href="${addressOf(style)}">
${ahead.map((name) => html`<link rel="modulepreload" href="${addressOf(name)}">`)}
<script type="module" nonce="${nonce}" src="${addressOf(script)}"></script>`,
    body: html`<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>`,
    policy: policyWith(nonce),
  })
}

/** Scripts, calls and frames of the service alone; pictures, media and fonts are where authors have them. */
function policyWith(nonce: string): string[] {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${hashSource(firstStyle)} 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-src 'self' https:",
    "img-src 'self' data: blob: http: https:",
    "media-src 'self' blob: http: https:",
    "font-src 'self' https:",
    "base-uri 'none'",
    "form-action 'self'",
  ]
}

async function readBuilt(path: string): Promise<Prepared> {
  const [content, br] = await Promise.all([readFile(path), readFile(`${path}.br`)])
  return { ...(await prepare(content)), br }
}

/** Names of files change with their contents. */
function sendAsset(exchange: Exchange, name: string, file: Prepared): void {
  const type = types[name.replace(/^.*\./, "")] ?? "application/octet-stream"
  Object.assign(exchange.headers, {
    "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  })
  sendPrepared(exchange, file)
}
