/** The types of blocks and events, to be dragged or clicked. */
import { ActionIcon, TextInput, Tooltip } from "@mantine/core"
import { type PointerEvent, useState } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import { type CatalogueEntry, useEditing } from "../editing.ts"
import { canvasTexts } from "./canvasTexts.ts"
import classes from "./Palette.module.css"

type Props = {
  onAdd(entry: CatalogueEntry): void
  onDrag?: ((event: PointerEvent, entry: CatalogueEntry) => void) | undefined
}

/** What can be added to the draft, by category. */
function usePaletteEntries(sought: string): [CatalogueEntry["category"], CatalogueEntry[]][] {
  const { catalogue, bot } = useEditing()
  const words = sought.trim().toLowerCase()
  const offered = catalogue.filter(
    ({ kind, type, isLegacy, label, description }) =>
      !isLegacy &&
      (kind !== "event" || (type !== "start" && bot.events !== null)) &&
      `${label} ${description}`.toLowerCase().includes(words),
  )
  const order = Object.keys(canvasTexts.en.categories) as CatalogueEntry["category"][]
  return order.flatMap((category) => {
    const entries = offered.filter((entry) => entry.category === category)
    return entries.length > 0 ? [[category, entries] as [typeof category, CatalogueEntry[]]] : []
  })
}

export function PaletteList({ onAdd, onDrag }: Props) {
  const t = useTexts(canvasTexts)
  const [sought, setSought] = useState("")
  const categories = usePaletteEntries(sought)
  return (
    <>
      <TextInput
        size="xs"
        type="search"
        aria-label={t.paletteSearch}
        placeholder={t.paletteSearch}
        leftSection={<Icon name="search" size={14} />}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      <div className={classes.list}>
        {categories.map(([category, entries]) => (
          <section key={category} aria-label={t.categories[category]}>
            <h2>{t.categories[category]}</h2>
            {entries.map((entry) => (
              <Tooltip
                key={`${entry.kind} ${entry.type}`}
                label={entry.description}
                position="right"
                multiline
                maw={260}
              >
                <button
                  type="button"
                  className={classes.entry}
                  data-kind={entry.kind}
                  onPointerDown={(event) => onDrag?.(event, entry)}
                  onClick={() => onAdd(entry)}
                >
                  <CatalogueIcon name={entry.icon} size={16} />
                  <span>{entry.label}</span>
                </button>
              </Tooltip>
            ))}
          </section>
        ))}
        {categories.length === 0 && <p>{t.nothingFound}</p>}
      </div>
    </>
  )
}

export function Palette(props: Props) {
  const t = useTexts(canvasTexts)
  const [isOpen, setOpen] = useState(() => window.innerWidth >= 900)
  if (!isOpen)
    return (
      <Tooltip label={t.paletteOpen} position="right">
        <ActionIcon
          className={classes.opener}
          size="lg"
          variant="default"
          aria-label={t.paletteOpen}
          onClick={() => setOpen(true)}
        >
          <Icon name="plus" />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <aside className={classes.palette} aria-label={t.palette}>
      <div className={classes.top}>
        <span>{t.palette}</span>
        <ActionIcon size="sm" aria-label={t.paletteClose} onClick={() => setOpen(false)}>
          <Icon name="chevron-left" size={16} />
        </ActionIcon>
      </div>
      <PaletteList {...props} />
    </aside>
  )
}
