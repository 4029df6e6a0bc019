/** The types of blocks and events, to be dragged or clicked. */
import { ActionIcon, TextInput, Tooltip } from "@mantine/core"
import { type KeyboardEvent, type PointerEvent, useState } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import type { CatalogueEntry } from "../editing.ts"
import { enterPanel } from "../panels/panelFocus.ts"
import { canvasTexts } from "./canvasTexts.ts"
import classes from "./Palette.module.css"
import { useOffered } from "./useOffered.ts"

type Props = {
  /** Returns the id of what was added. */
  onAdd(entry: CatalogueEntry): string
  onDrag?: ((event: PointerEvent, entry: CatalogueEntry) => void) | undefined
}

/** What can be added to the draft, by category. */
function usePaletteEntries(sought: string): [CatalogueEntry["category"], CatalogueEntry[]][] {
  const words = sought.trim().toLowerCase()
  const offered = useOffered().filter(({ label, description }) =>
    `${label} ${description}`.toLowerCase().includes(words),
  )
  const order = Object.keys(canvasTexts.en.categories) as CatalogueEntry["category"][]
  return order.flatMap((category) => {
    const entries = offered.filter((entry) => entry.category === category)
    return entries.length > 0 ? [[category, entries] as [typeof category, CatalogueEntry[]]] : []
  })
}

/** Leads the focus from entry to entry. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>("button")]
  entries[entries.indexOf(event.target as HTMLElement) + by]?.focus()
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
      <div
        className={classes.list}
        role="toolbar"
        aria-orientation="vertical"
        aria-label={t.palette}
        onKeyDown={walk}
      >
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
                  // One stop for Tab; arrows lead on.
                  tabIndex={entry === categories[0]?.[1][0] ? 0 : -1}
                  onClick={({ detail }) => {
                    const id = onAdd(entry)
                    if (detail === 0) enterPanel(id)
                  }}
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
    <aside className={classes.palette} aria-label={t.palette} data-cover>
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
