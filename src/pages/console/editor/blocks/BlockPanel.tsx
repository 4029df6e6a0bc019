/** The options of a block or an event: a form made from the catalogue. */
import { Text } from "@mantine/core"
import type { Edit } from "@parley/client/edit"
import type { ComponentType } from "react"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { type Block, type CatalogueEntry, useEditing, useSelected } from "../editing.ts"
import { takeFocus } from "../panels/panelFocus.ts"
import panelClasses from "../panels/SidePanel.module.css"
import { FormProvider } from "./blockForm.ts"
import { membersOf, type Schema } from "./blockSchema.ts"
import { CatalogueIcon } from "./CatalogueIcon.tsx"
import { Field } from "./fields/Field.tsx"
import { TestCall } from "./TestCall.tsx"
import { useDelayedChanges } from "./useDelayedChanges.ts"

const texts = defineTexts({
  en: {
    gone: "This block is not in the bot any more.",
    newer: "A newer version of the service made this block. It stays as it is.",
    nothing: "There is nothing to set here.",
  },
  de: {
    gone: "Diesen Block gibt es im Bot nicht mehr.",
    newer: "Diesen Block hat eine neuere Version des Dienstes gemacht. Er bleibt, wie er ist.",
    nothing: "Hier gibt es nichts einzustellen.",
  },
})

/** What blocks offer below their options. */
const extras: Readonly<Record<string, ComponentType<{ blockId: string }>>> = { webhook: TestCall }

type BotEvent = NonNullable<ReturnType<typeof useEditing>["bot"]["events"]>[number]

/** What the address names: a block with its group, or an event. */
type Found = { block: Block; groupId: string } | { event: BotEvent }

export function BlockPanel() {
  const t = useTexts(texts)
  const { block: id } = useSelected()
  const { bot, catalogue } = useEditing()
  const group = bot.groups.find(({ blocks }) => blocks.some((each) => each.id === id))
  const block = group?.blocks.find((each) => each.id === id)
  const event = bot.events?.find((each) => each.id === id)
  const found: Found | undefined =
    block && group ? { block, groupId: group.id } : event && { event }
  if (found === undefined) return <Notice>{t.gone}</Notice>
  const { type } = "block" in found ? found.block : found.event
  // A type may be one of blocks and of events.
  const isEvent = "event" in found
  const entry = catalogue.find((each) => each.type === type && (each.kind === "event") === isEvent)
  if (entry === undefined) return <Notice of={id}>{t.newer}</Notice>
  return <Options key={id} found={found} entry={entry} />
}

function Notice({ of, children }: { of?: string | undefined; children: string }) {
  return (
    <Text p="xl" pt={56} size="sm" c="dimmed" ref={takeFocus} tabIndex={-1} data-options-of={of}>
      {children}
    </Text>
  )
}

function Options({ found, entry }: { found: Found; entry: CatalogueEntry }) {
  const t = useTexts(texts)
  const { bot, edit, mayEdit } = useEditing()
  const isThere = (id: string) =>
    bot.events?.some((each) => each.id === id) ||
    bot.groups.some(({ blocks }) => blocks.some((each) => each.id === id))
  const element: Block | BotEvent = "block" in found ? found.block : found.event
  const put = (next: Block | BotEvent): Edit =>
    "block" in found
      ? { type: "block.put", groupId: found.groupId, block: next as Block }
      : { type: "event.put", event: next as BotEvent }
  const { value, change, flush } = useDelayedChanges(element, (next, former) => {
    if (isThere(element.id)) edit([put(next)], former && [put(former)])
  })
  const Extra = extras[entry.kind === "event" ? "" : entry.type]
  const { title: _, description: __, ...schema } = entry.schema as Schema
  return (
    <div className={panelClasses.content}>
      <div>
        <header className={panelClasses.head}>
          <span className={panelClasses.icon}>
            <CatalogueIcon name={entry.icon} />
          </span>
          <h2 ref={takeFocus} tabIndex={-1} data-options-of={element.id}>
            {entry.label}
          </h2>
        </header>
        <Text size="sm" c="dimmed" mt="xs">
          {entry.description}
        </Text>
      </div>
      {isEmpty(schema) ? (
        <Text size="sm" c="dimmed">
          {t.nothing}
        </Text>
      ) : (
        <fieldset className={panelClasses.fields} disabled={!mayEdit} onBlur={flush}>
          <FormProvider value={{ value, isReadOnly: !mayEdit, Field, change, flush }}>
            <Field schema={schema} path={[]} value={value} isRequired />
          </FormProvider>
        </fieldset>
      )}
      {Extra && <Extra blockId={element.id} />}
    </div>
  )
}

function isEmpty(schema: Schema): boolean {
  return membersOf(schema).every(
    ({ schema: member }) => member.properties !== undefined && isEmpty(member),
  )
}
