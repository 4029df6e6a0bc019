/** The views of one bot. */
import type { IconName } from "../shell/iconNames.ts"
import { defineTexts } from "../shell/texts.ts"

export const botViewTexts = defineTexts({
  en: {
    editor: "Editor",
    results: "Results",
    conversations: "Conversations",
    analytics: "Analytics",
    versions: "Versions",
    share: "Share",
  },
  de: {
    editor: "Editor",
    results: "Ergebnisse",
    conversations: "Gespräche",
    analytics: "Analyse",
    versions: "Versionen",
    share: "Teilen",
  },
})

export const botViews = [
  ["/bots/$botId", "editor", "workflow"],
  ["/bots/$botId/results", "results", "table-2"],
  ["/bots/$botId/conversations", "conversations", "messages-square"],
  ["/bots/$botId/analytics", "analytics", "chart-column"],
  ["/bots/$botId/versions", "versions", "history"],
  ["/bots/$botId/share", "share", "share-2"],
] as const satisfies readonly (readonly [string, keyof (typeof botViewTexts)["en"], IconName])[]
