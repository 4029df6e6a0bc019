/** The code in the guide: what each language runs, and what it promises to print. */
import { readFileSync } from "node:fs"
import markdownIt from "markdown-it"
import { readChapters } from "../../src/http/guide/chapters.ts"

/** A block of code of a chapter. */
type Block = {
  chapter: string
  language: string
  /** `run`, `run=python`, `file=receiver.py`, `prints`; empty: it is only shown. */
  mark: string
  code: string
}

/** A block that runs, and the text that it prints. */
export type Step = Block & { prints: string }

export const guideFolder = "src/http/guide"
const document = JSON.parse(readFileSync("openapi.json", "utf8"))

/** The chapters. */
export const chapters = await readChapters(guideFolder, document)

/** All blocks of the guide, in the order of reading. */
export const blocks: Block[] = chapters.flatMap(({ title, text }) =>
  markdownIt()
    .parse(text, {})
    .filter(({ type }) => type === "fence")
    .map(({ info, content }) => {
      const [language = "", mark = ""] = info.split(" ")
      return { chapter: title, language, mark, code: content }
    }),
)

/** The steps of a language. */
export function stepsIn(language: string): Step[] {
  return blocks.flatMap((block, index) => {
    if (block.language !== language || !/^run\b/.test(block.mark)) return []
    // Neighbours in other languages promise the same.
    const prints = blocks.slice(index).find(({ mark }) => !/^run\b/.test(mark))
    if (prints?.mark !== "prints") throw new Error(`No output follows ${block.code}`)
    return [{ ...block, prints: prints.code.trim() }]
  })
}

/** The files that readers save, by name. */
export const files = new Map(
  blocks.flatMap(({ mark, code }) => (mark.startsWith("file=") ? [[mark.slice(5), code]] : [])),
)
