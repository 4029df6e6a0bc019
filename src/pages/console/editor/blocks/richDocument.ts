/** Documents of texts, as bots store them. */
import type { ReactNode } from "react"

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

/** How a text is edited where it stands. */
export type InPlace = {
  /** Where the text was pressed, in the window; absent: the caret goes to its end. */
  at?: { x: number; y: number } | undefined
  /** The text as it stands there while the editor is loaded. */
  fallback: ReactNode
  /** Called when the focus leaves it, or Escape was pressed. */
  onLeave(): void
}

/** What an editor of a document is given. */
export type RichTextProps = {
  label: string
  /** The document; what is none is an empty one. */
  value: unknown
  onChange(document: RichDocument): void
  /** Saves what was typed, before undo takes it back. */
  flush(): void
  /** Absent: it stands in a form, and looks like a field. */
  inPlace?: InPlace
}

/** A document for the editor, which needs a text in every element; what is no node at all is left out. */
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
  return [{ ...node, type: type ?? "p", children: inside.length === 0 ? [{ text: "" }] : inside }]
}
