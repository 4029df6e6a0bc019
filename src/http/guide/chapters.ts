/** Reads the chapters of the guide, and fills in what is made from code. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Json } from "../openapi/openapiSchemas.ts"
import { madeParts } from "./madeParts.ts"

/** The names of the files, in the order of reading. */
const names = [
  "gettingStarted",
  "authentication",
  "errors",
  "pagination",
  "idempotency",
  "rateLimits",
  "webhooks",
  "streaming",
  "versions",
  "clients",
] as const

/** A chapter: its page, its title, and its text in Markdown. */
export type Chapter = { path: string; title: string; text: string }

/** The paths of all chapters, in the order of reading; the first is the front page. */
export const chapterPaths = names.map((name, index) => (index === 0 ? "/docs" : pathOf(name)))

function pathOf(name: string): string {
  return `/docs/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Reads all chapters. `document` has the operations that they list. */
export async function readChapters(folder: string, document: Json): Promise<Chapter[]> {
  const parts = madeParts(document)
  return await Promise.all(
    names.map(async (name, index) => {
      const written = await readFile(join(folder, "chapters", `${name}.md`), "utf8")
      const text = written.replaceAll(/\[\[(\w+)\]\]/g, (_, part: string) => {
        const made = parts[part]
        if (made === undefined) throw new Error(`${name}.md names [[${part}]], which is not made`)
        return made
      })
      const title = /^# (.+)$/m.exec(text)?.[1] ?? name
      return { path: chapterPaths[index] ?? "", title, text }
    }),
  )
}
