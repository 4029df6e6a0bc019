/** Serves the guide: a page for each chapter, its style sheet and its script. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { once } from "../../lib/once.ts"
import { type Prepared, prepare, sendTagged } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import type { SplitDocument } from "../openapi/documentParts.ts"
import { chapterPaths, readChapters } from "./chapters.ts"
import { type GuideFrame, guidePage, operationLinks } from "./guidePage.ts"
import { docsText, llmsText } from "./plainDocs.ts"
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

/** What the pages are made from. */
type GuideSource = {
  /** Has the chapters, the style sheet and the script. */
  folder: string
  documents: SplitDocument
  publicUrl: string
}

/** Makes the pages. */
export function createGuidePages({
  folder,
  documents,
  publicUrl,
}: GuideSource): Record<string, Page> {
  const { document } = documents
  const read = (name: string) => once(async () => prepare(await readFile(join(folder, name))))
  const [style, script] = [read("guide.css"), read("guide.js")]
  const readAll = once(() => readChapters(folder, document))
  const plain = (write: typeof docsText) =>
    once(async () => prepare(write({ ...documents, chapters: await readAll(), publicUrl })))
  const pages = once(async () => {
    const chapters = await readAll()
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
    "/llms.txt": asset("text/plain", plain(llmsText)),
    "/docs.md": asset("text/markdown", plain(docsText)),
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
