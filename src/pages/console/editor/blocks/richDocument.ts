/** Documents of texts, as bots store them. */
export type RichText = {
  text: string
  bold?: boolean
  italic?: boolean
  underline?: boolean
  strikethrough?: boolean
  [member: string]: unknown
}

export type RichElement = {
  type: string
  url?: string
  children: (RichElement | RichText)[]
  [member: string]: unknown
}

export type RichDocument = RichElement[]

export const marks = ["bold", "italic", "underline", "strikethrough"] as const

export type Mark = (typeof marks)[number]

/** Elements that stand within a line. */
export const inlines: ReadonlySet<string> = new Set(["a", "inline-variable"])

/**
 * A document for the editor, which needs a text in every element, and around each link; what is no node at all is
 * left out.
 */
export function readDocument(value: unknown): RichDocument {
  const nodes = Array.isArray(value) ? value.flatMap(readElement) : []
  return nodes.length === 0 ? [{ type: "p", children: [{ text: "" }] }] : nodes
}

function readElement(node: unknown): RichElement[] {
  if (typeof node !== "object" || node === null) return []
  const { type, children } = node as Partial<RichElement>
  if (!Array.isArray(children)) {
    return "text" in node ? [{ type: "p", children: [node as RichText] }] : []
  }
  const inside = children.flatMap((child): RichElement["children"] =>
    typeof (child as RichText).text === "string" ? [child] : readElement(child),
  )
  return [{ ...node, type: type ?? "p", children: withSpacers(inside) }]
}

type Node = RichElement | RichText

/** A text that only the editor needs. */
const spacer = { text: "", isSpacer: true }

const isInline = (node: Node | undefined) => inlines.has(String(node?.type))

function withSpacers(nodes: readonly Node[]): Node[] {
  if (nodes.length === 0) return [{ text: "" }]
  return nodes.flatMap((node, at) => {
    if (!isInline(node)) return [node]
    const before = nodes[at - 1]
    const begins = before === undefined || isInline(before)
    return [...(begins ? [spacer] : []), node, ...(at === nodes.length - 1 ? [spacer] : [])]
  })
}

/** The document as it is stored: without the texts that only the editor needs, unless something was written there. */
export function storedDocument(document: readonly Node[]): RichDocument {
  return document.flatMap((node): Node[] => {
    if ("children" in node)
      return [{ ...node, children: storedDocument((node as RichElement).children) } as RichElement]
    const { isSpacer, ...text } = node as RichText
    return isSpacer && text.text === "" ? [] : [text]
  }) as RichDocument
}
