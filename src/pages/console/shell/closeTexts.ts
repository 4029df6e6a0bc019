/** The name of the button that closes a dialog or a notice. */
import { defineTexts } from "./texts.ts"

export const closeTexts = defineTexts({ en: { close: "Close" }, de: { close: "Schließen" } })
