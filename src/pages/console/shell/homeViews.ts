/** The views of everything but a single bot. */
import type { IconName } from "./iconNames.ts"
import { defineTexts } from "./texts.ts"

export const homeTexts = defineTexts({
  en: {
    bots: "Bots",
    shared: "Shared with you",
    bin: "Bin",
    workspace: "Workspace",
    operator: "Operator",
    account: "Account",
    newWorkspace: "New workspace",
  },
  de: {
    bots: "Bots",
    shared: "Mit dir geteilt",
    bin: "Papierkorb",
    workspace: "Arbeitsbereich",
    operator: "Betrieb",
    account: "Konto",
    newWorkspace: "Neuer Arbeitsbereich",
  },
})

export const homeViews = [
  ["/", "bots", "bot"],
  ["/shared", "shared", "users"],
  ["/bin", "bin", "trash-2"],
  ["/workspace", "workspace", "settings"],
  ["/operator", "operator", "shield"],
  ["/account", "account", "user"],
  ["/newWorkspace", "newWorkspace", "plus"],
] as const satisfies readonly (readonly [string, keyof (typeof homeTexts)["en"], IconName])[]
