/** Serves the parts of an embedded chat to pages of any origin: scripts and texts, the frame for code, the icon. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../../lib/errors.ts"
import { languages } from "../../lib/languages.ts"
import { once } from "../../lib/once.ts"
import {
  type Prepared,
  prepare,
  sendCompressed,
  sendPrepared,
  sendTagged,
  versionOf,
} from "../answer.ts"
import type { Page } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { hashSource } from "./html.ts"

type Asset = Prepared & { type: string }

type EmbedPages = {
  pages: Record<string, Page>
  /** The address of the script, with a hash of its content. */
  scriptAddress(): Promise<string>
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="7" fill="#3550d8"/><path d="M12 6.200a6 6 0 0 0-5.300 8.700l-.7 2.900 3-.7A6 6 0 1 0 12 6.200z" fill="#fff"/></svg>`

/** The icon, which the pages of both sides of the service show. */
export const iconPage: Record<string, Page> = {
  "/embed/icon.svg": (exchange) => {
    exchange.headers["content-type"] = "image/svg+xml"
    exchange.headers["cache-control"] = "public, max-age=86400"
    return sendCompressed(exchange, 200, icon)
  },
}

/** Creates the pages; `folder` is the output of the build. */
export function createEmbedPages(folder: string): EmbedPages {
  const script = once(() => readScript(join(folder, "embed.js")))
  const preview = once(() => readScript(join(folder, "preview.js")))
  const onDemand = once(() => readScript(join(folder, "on-demand.js")))
  const texts = once(() => readTexts(join(folder, "texts.json")))
  const frame = once(async () => frameOf(await readBuilt(join(folder, "code.js"))))
  return {
    scriptAddress: async () => `/embed.js?v=${(await script()).version}`,
    pages: {
      "/embed.js": async (exchange) => sendAsset(exchange, await script()),
      "/embed/preview.js": async (exchange) => sendAsset(exchange, await preview()),
      "/embed/on-demand.js": async (exchange) => sendAsset(exchange, await onDemand()),
      ...Object.fromEntries(
        [...languages, "pt-PT"].map((language) => [
          `/embed/texts/${language}.json`,
          async (exchange: Exchange) => sendAsset(exchange, (await texts()).get(language)),
        ]),
      ),
      "/embed/code": async (exchange) => {
        const { policy, body } = await frame()
        Object.assign(exchange.headers, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policy,
          "cache-control": "public, max-age=300",
        })
        sendPrepared(exchange, body)
      },
      ...iconPage,
    },
  }
}

function sendAsset(exchange: Exchange, asset: Asset | undefined): void {
  if (!asset) throw new AppError("NOT_FOUND", "The texts in English come with the script")
  const { headers, search } = exchange
  const isVersioned = new URLSearchParams(search).get("v") === asset.version
  Object.assign(headers, {
    "content-type": `${asset.type}; charset=utf-8`,
    // Pages that name no version get a new one soon: they revalidate by the entity tag.
    "cache-control": isVersioned ? "public, max-age=31536000, immutable" : "public, max-age=300",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  })
  sendTagged(exchange, asset)
}

async function readScript(path: string): Promise<Asset> {
  const text = await readBuilt(path)
  const br = await readFile(`${path}.br`)
  return { ...(await prepare(text)), br, type: "text/javascript" }
}

/** Reads the built-in texts, by language; the script knows the version of all of them. */
async function readTexts(path: string): Promise<ReadonlyMap<string, Asset>> {
  const text = await readBuilt(path)
  const version = versionOf(text)
  const catalogues = new Map<string, Asset>()
  for (const [language, texts] of Object.entries(JSON.parse(text))) {
    const prepared = await prepare(JSON.stringify(texts))
    catalogues.set(language, { ...prepared, type: "application/json", version })
  }
  return catalogues
}

/**
 * The frame has an opaque origin, so that its code reaches neither this service nor the page around it;
 * it may compile code and call any host.
 */
async function frameOf(script: string): Promise<{ policy: string; body: Prepared }> {
  const policy = [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${hashSource(script)} 'unsafe-eval'`,
    "worker-src blob:",
    "connect-src http: https:",
  ]
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Code</title><script>${script}</script></html>`
  return { policy: policy.join("; "), body: await prepare(page) }
}

async function readBuilt(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch (cause) {
    throw new AppError("NOT_FOUND", "The pages were not built: npm run build", { cause })
  }
}
