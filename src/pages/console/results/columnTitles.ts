/** The titles of columns: facts have words of the reader's language, the others those of the author. */
import { defineTexts, useTexts } from "../shell/texts.ts"
import type { ListedColumn } from "./resultQueries.ts"

const texts = defineTexts({
  en: {
    createdAt: "Started",
    isCompleted: "Status",
    versionNumber: "Version",
    durationSeconds: "Duration",
    endedAt: "Ended",
    id: "Result ID",
  } as Record<string, string>,
  de: {
    createdAt: "Begonnen",
    isCompleted: "Status",
    versionNumber: "Version",
    durationSeconds: "Dauer",
    endedAt: "Beendet",
    id: "Ergebnis-ID",
  },
})

export function useColumnTitle(): (column: Pick<ListedColumn, "id" | "kind" | "title">) => string {
  const t = useTexts(texts)
  return ({ id, kind, title }) => (kind === "fact" && t[id]) || title
}
