/** What can be done with the bots that are selected, at the foot of the window. */
import { Button, CloseButton } from "@mantine/core"
import { Icon } from "../shell/Icon.tsx"
import { useTexts } from "../shell/texts.ts"
import { type Selected, useAsk } from "./askedDialog.ts"
import classes from "./BotsPage.module.css"
import { botsTexts } from "./botsTexts.ts"
import { useKeys } from "./useKeys.ts"

type Props = { selected: Selected; onSelect: (selected: Selected) => void }

export function Selection({ selected, onSelect }: Props) {
  const t = useTexts(botsTexts)
  const ask = useAsk()
  const bots = [...selected.values()]
  const clear = () => onSelect(new Map())
  useKeys({ Escape: clear })
  return (
    <section className={classes.selection} aria-label={t.selection}>
      <span aria-live="polite">{t.selected(bots.length)}</span>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Icon name="folder-input" size={16} />}
        onClick={() => ask({ type: "moveBots", bots })}
      >
        {t.move}
      </Button>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Icon name="trash-2" size={16} />}
        onClick={() => ask({ type: "removeBots", bots })}
      >
        {t.remove}
      </Button>
      <CloseButton aria-label={t.unselect} onClick={clear} />
    </section>
  )
}
