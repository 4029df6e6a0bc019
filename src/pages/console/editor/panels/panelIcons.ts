/** The panels beside the canvas, with their icons, in the order in which they are offered. */
import type { IconName } from "../../shell/iconNames.ts"
import type { EditorSearch } from "../editorSearch.ts"

export const panelIcons = {
  variables: "variable",
  theme: "palette",
  settings: "settings",
  findings: "circle-check",
  history: "history",
} as const satisfies Record<NonNullable<EditorSearch["panel"]>, IconName>
