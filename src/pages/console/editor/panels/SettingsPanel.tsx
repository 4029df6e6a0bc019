/** The settings of a bot, in the sections that the catalogue has. */
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { PanelHead } from "./PanelHead.tsx"
import { PartPanel } from "./PartPanel.tsx"
import classes from "./SidePanel.module.css"

const texts = defineTexts({
  en: { help: "How chats behave, and what their page says about itself." },
  de: { help: "Wie Chats sich verhalten und was ihre Seite über sich sagt." },
})

export function SettingsPanel() {
  const t = useTexts(texts)
  return (
    <div className={classes.content}>
      <PanelHead name="settings" help={t.help} />
      <PartPanel part="settings" />
    </div>
  )
}
