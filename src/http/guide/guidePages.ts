/** Serves the guide: a page for each chapter, its style sheet and its script. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { once } from "../../lib/once.ts"
import { type Prepared, prepare, sendTagged } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import type { Json } from "../openapi/openapiSchemas.ts"
import { chapterPaths, readChapters } from "./chapters.ts"
import { type GuideFrame, guidePage, operationLinks } from "./guidePage.ts"
import { renderMarkdown } from "./renderMarkdown.ts"

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Makes the pages; `folder` has the chapters, the style sheet and the script. */
export function createGuidePages(folder: string, document: Json): Record<string, Page> {
  const read = (name: string) => once(async () => prepare(await readFile(join(folder, name))))
  const [style, script] = [read("guide.css"), read("guide.js")]
  const pages = once(async () => {
    const chapters = await readChapters(folder, document)
    const frame: GuideFrame = {
      chapters,
      operations: operationLinks(document),
      style: `/docs/guide.css?v=${(await style()).version}`,
      script: `/docs/guide.js?v=${(await script()).version}`,
    }
    const written = chapters.map((chapter) => {
      const page = guidePage(frame, chapter, renderMarkdown(chapter.text))
      return [chapter.path, once(() => prepare(page))] as const
    })
    return new Map(written)
  })
  const chapter = (path: string) => async () => {
    const prepared = (await pages()).get(path)
    if (prepared === undefined) throw new Error(`The guide has no page ${path}`)
    return await prepared()
  }
  return {
    "/docs/guide.css": asset("text/css", style),
    "/docs/guide.js": asset("text/javascript", script),
    ...Object.fromEntries(chapterPaths.map((path) => [path, asset("text/html", chapter(path))])),
  }
}

function asset(type: string, content: () => Promise<Prepared>): Page {
  return async (exchange) => {
    Object.assign(exchange.headers, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=300",
      "content-security-policy": policy,
    })
    sendTagged(exchange, await content())
  }
}
