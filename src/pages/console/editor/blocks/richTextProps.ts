/** What editors of texts are given. */
import type { ReactNode } from "react"
import type { RichDocument } from "./richDocument.ts"

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
