/** Where the caret of a rich text is, in the document and in the browser. */
import type { KeyboardEvent } from "react"
import { Editor, type Range, Transforms } from "slate"
import { ReactEditor } from "slate-react"

/** The selection in a document that came meanwhile: where it was, or behind what has changed there. */
export function heldBy(editor: Editor, { anchor, focus }: Range, before: string): Range {
  const isThere = [anchor, focus].every(({ path }) => Editor.hasPath(editor, path))
  if (!isThere) return Editor.range(editor, Editor.end(editor, []))
  const after = Editor.string(editor, focus.path)
  if (after === before) return { anchor, focus }
  let same = 0
  while (
    same < Math.min(before.length, after.length) &&
    before.at(-1 - same) === after.at(-1 - same)
  )
    same += 1
  return Editor.range(editor, { path: focus.path, offset: after.length - same })
}

/** Keys whose effect on the selection the browser reports later, or never while Slate draws. */
export function movesCaret({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return /^(?:Arrow|Home|End|Page)/.test(key) || (key === "a" && (ctrlKey || metaKey))
}

/** Takes the selection of the browser, so that the next key acts where people see the caret. */
export function adoptCaret(editor: Editor): void {
  const shown = getSelection()
  if (!shown?.anchorNode || !ReactEditor.hasSelectableTarget(editor, shown.anchorNode)) return
  const options = { exactMatch: false, suppressThrow: true } as const
  const range = ReactEditor.toSlateRange(editor, shown, options)
  if (range) Transforms.select(editor, range)
}

/** The place of a text at a point of the window; undefined: there is none, or the browser cannot say. */
export function textAt(editor: Editor, { x, y }: { x: number; y: number }): Range | undefined {
  const range = document.caretRangeFromPoint?.(x, y)
  if (!range || !ReactEditor.hasDOMNode(editor, range.startContainer)) return undefined
  const found = ReactEditor.toSlateRange(editor, range, { exactMatch: false, suppressThrow: true })
  return found ?? undefined
}

/** Gives the focus back before the text changes: Slate would wait, and the next keys would go elsewhere. */
export function returnTo(editor: Editor): void {
  if (editor.selection !== null) ReactEditor.focus(editor)
  else ReactEditor.toDOMNode(editor, editor).focus()
}
