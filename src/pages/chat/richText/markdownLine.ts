/** Reads the marks and links in a line of Markdown. */
import type { RichTextNode } from "../payload.ts"
import { childrenOf } from "./plainText.ts"

/**
 * The elements of a line. Marks around more than these characters are text, so that unclosed marks are not
 * searched to the end of a long line repeatedly.
 */
const marks: readonly { form: RegExp; read(one: string, two?: string): RichTextNode[] }[] = [
  { form: /\\([!-/:-@[-`{-~])/g, read: (text) => [{ text }] },
  {
    form: /(?<!`)(`+)(?!`)([^\n]{0,999}?[^`\n])\1(?!`)/g,
    read: (_, text = "") => [{ text, code: true }],
  },
  { form: /\*\*(\S(?:[^\n]{0,999}?\S)??)\*\*(?!\*)/g, read: marked({ bold: true }) },
  { form: /__(\S(?:[^\n]{0,999}?\S)??)__/g, read: marked({ bold: true }) },
  { form: /~~(\S(?:[^\n]{0,999}?\S)??)~~/g, read: marked({ strikethrough: true }) },
  { form: /\*(\S(?:[^*\n]*?\S)?)\*/g, read: marked({ italic: true }) },
  { form: /\b_(\S(?:[^_\n]*?\S)?)_\b/g, read: marked({ italic: true }) },
  {
    // Addresses may have brackets of their own, as those of Wikipedia do.
    form: /!?\[([^\]\n]{0,999})\]\(((?:[^()\s]|\([^()\s]*\))+)(?: +(?:"[^"\n]{0,999}"|'[^'\n]{0,999}'))?\)/g,
    read: (text, url = "") => [
      { type: "a", url, children: readInline(text || url).flatMap(textOfLink) },
    ],
  },
  {
    form: /<(https?:\/\/[^\s<>]{1,2000})>/g,
    read: (url) => [{ type: "a", url, children: [{ text: url }] }],
  },
  {
    form: /(https?:\/\/[^\s<>()]+[^\s<>().,;:!?'"])/g,
    read: (url) => [{ type: "a", url, children: [{ text: url }] }],
  },
]

/** Reads a text whose parts get a mark. */
function marked(mark: Partial<RichTextNode>): (text: string) => RichTextNode[] {
  return (text) =>
    readInline(text).map((node) => {
      if (node.type !== "a") return { ...node, ...mark }
      return { ...node, children: childrenOf(node).map((leaf) => ({ ...leaf, ...mark })) }
    })
}

/** A link within another one is only text. */
function textOfLink(node: RichTextNode): readonly RichTextNode[] {
  return node.type === "a" ? childrenOf(node) : [node]
}

/** Reads the marks and links of a line, the first one first. */
export function readInline(text: string): RichTextNode[] {
  const nodes: RichTextNode[] = []
  // Each form is searched again only after its last match is read.
  const found = marks.map((): RegExpExecArray | null | undefined => undefined)
  for (let at = 0; at < text.length; ) {
    for (const [index, { form }] of marks.entries()) {
      const known = found[index]
      if (known === null || (known && known.index >= at)) continue
      form.lastIndex = at
      found[index] = form.exec(text)
    }
    const places = found.map((each) => each?.index ?? text.length)
    const next = Math.min(...places)
    if (next > at) nodes.push({ text: text.slice(at, next) })
    const mark = places.indexOf(next)
    const [whole = "", one = "", two] = found[mark] ?? []
    nodes.push(...(found[mark] ? (marks[mark]?.read(one, two) ?? []) : []))
    at = next + whole.length
  }
  return nodes
}
