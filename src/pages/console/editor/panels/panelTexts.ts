/** The names of what stands beside the canvas. */
import { defineTexts } from "../../shell/texts.ts"

export const panelTexts = defineTexts({
  en: {
    panels: "Parts of the bot",
    block: "Options of the block",
    variables: "Variables",
    theme: "Theme",
    settings: "Settings",
    findings: "Findings",
    history: "History",
    close: "Close",
  },
  de: {
    panels: "Teile des Bots",
    block: "Optionen des Blocks",
    variables: "Variablen",
    theme: "Aussehen",
    settings: "Einstellungen",
    findings: "Befunde",
    history: "Verlauf",
    close: "Schließen",
  },
})
