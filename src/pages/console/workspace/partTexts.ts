/** What the parts of a workspace are called. */
import type { IconName } from "../shell/iconNames.ts"
import { defineTexts } from "../shell/texts.ts"
import type { WorkspacePart } from "./workspaceSearch.ts"

export const partIcons: Readonly<Record<WorkspacePart, IconName>> = {
  general: "settings",
  members: "users",
  credentials: "key-round",
  variables: "variable",
  webhooks: "webhook",
  files: "file",
  themes: "palette",
  audit: "history",
  usage: "activity",
}

export const partTexts = defineTexts<Record<WorkspacePart, string>>({
  en: {
    general: "General",
    members: "Members",
    credentials: "Credentials",
    variables: "Variables",
    webhooks: "Webhooks",
    files: "Files",
    themes: "Themes",
    audit: "Audit log",
    usage: "Usage",
  },
  de: {
    general: "Allgemein",
    members: "Mitglieder",
    credentials: "Zugangsdaten",
    variables: "Variablen",
    webhooks: "Webhooks",
    files: "Dateien",
    themes: "Aussehen",
    audit: "Protokoll",
    usage: "Verbrauch",
  },
})
