/** The texts that several parts of the operator's pages share. */
import { defineTexts } from "../shell/texts.ts"

export const operatorTexts = defineTexts({
  en: {
    search: "Search",
    state: "State",
    anyState: "Any state",
    more: "Show more",
    states: {
      open: "Takes chats",
      pastDue: "Past due",
      suspended: "Suspended",
      closed: "Too many chats",
      atRisk: "Bots at risk",
    },
    botStates: { atRisk: "Waits for a review", closed: "Closed by an operator" },
    now: "Takes effect at once.",
    cancel: "Cancel",
    save: "Save",
    saved: "Saved.",
  },
  de: {
    search: "Suchen",
    state: "Zustand",
    anyState: "Jeder Zustand",
    more: "Mehr anzeigen",
    states: {
      open: "Nimmt Chats an",
      pastDue: "Zahlung überfällig",
      suspended: "Gesperrt",
      closed: "Zu viele Chats",
      atRisk: "Bots mit Risiko",
    },
    botStates: { atRisk: "Wartet auf Prüfung", closed: "Vom Betreiber geschlossen" },
    now: "Gilt sofort.",
    cancel: "Abbrechen",
    save: "Speichern",
    saved: "Gespeichert.",
  },
})
