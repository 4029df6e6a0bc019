/** What is selected in the editor, as its address has it. */

/** What the side panel shows. */
export const panels = ["variables", "theme", "settings", "findings", "history"] as const

/** What is selected, as the address has it. */
export type EditorSearch = {
  /** Id of a block or an event whose options are open. */
  block?: string
  panel?: (typeof panels)[number]
  /** Whether the chat stands beside the canvas. */
  try?: boolean
}

export function readEditorSearch(search: Record<string, unknown>): EditorSearch {
  const { block, panel } = search
  const known = panels.find((each) => each === panel)
  return {
    ...(typeof block === "string" && { block }),
    ...(known && { panel: known }),
    ...(search.try === true && { try: true }),
  }
}
