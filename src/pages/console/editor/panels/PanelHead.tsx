/** The head of a panel: its icon, its name, and what it is for. */
import { Text } from "@mantine/core"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { panelIcons } from "./panelIcons.ts"
import { panelTexts } from "./panelTexts.ts"
import classes from "./SidePanel.module.css"

export function PanelHead({ name, help }: { name: keyof typeof panelIcons; help: string }) {
  const t = useTexts(panelTexts)
  return (
    <div>
      <header className={classes.head}>
        <span className={classes.icon}>
          <Icon name={panelIcons[name]} />
        </span>
        <h2>{t[name]}</h2>
      </header>
      <Text size="sm" c="dimmed" mt="xs">
        {help}
      </Text>
    </div>
  )
}
