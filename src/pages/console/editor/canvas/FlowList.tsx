/** The flow as a list, for small screens: everything but drawing. */

import { ActionIcon, Button, Drawer } from "@mantine/core"
import { useCallback, useMemo, useRef, useState } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import { type BotGroup, useEditing, useSelected } from "../editing.ts"
import { enterPanel } from "../panels/panelFocus.ts"
import { useWords, type Words } from "./blockWords.ts"
import canvasClasses from "./Canvas.module.css"
import { CanvasContext } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { allExits, type Exit, edgesAt, exitOfEvent, exitsOfBlock } from "./exitsOf.ts"
import { Finder } from "./Finder.tsx"
import { FindingBadge } from "./FindingBadge.tsx"
import classes from "./FlowList.module.css"
import { FlowMenu, type OpenMenu } from "./FlowMenu.tsx"
import { useFindingsByElement } from "./findingsByElement.ts"
import { PaletteList } from "./Palette.tsx"
import { isSaid } from "./reading.ts"
import { nothingSelected, type Selection, type Slot } from "./selection.ts"
import { TitleField } from "./TitleField.tsx"
import { useCanvasKeys } from "./useCanvasKeys.ts"
import { type Commands, useCommands } from "./useCommands.ts"
import { type OpenFinder, useFinderChoices } from "./useFinderChoices.ts"
import { usePresence } from "./usePresence.ts"

export function FlowList() {
  const t = useTexts(canvasTexts)
  const { bot, botId, mayEdit, entryOf } = useEditing()
  const { block: openId } = useSelected()
  const [selection, setSelection] = useState<Selection>(nothingSelected)
  const [finder, setFinder] = useState<OpenFinder>()
  const [menu, setMenu] = useState<OpenMenu>()
  const [slot, setSlot] = useState<Slot>()
  const [said, setSaid] = useState("")
  const root = useRef<HTMLDivElement>(null)
  const words = useWords(bot)
  const findings = useFindingsByElement()
  const commands = useCommands({
    selection,
    setSelection,
    shownAt: () => undefined,
    announce: setSaid,
    // To the right of all others, where the canvas has room.
    freePlace: () => ({
      x: Math.max(0, ...bot.groups.map((each) => each.graphCoordinates.x)) + 400,
      y: 0,
    }),
  })
  const jump = useCallback(
    (groupId: string, blockId?: string) => {
      document.getElementById(`list-${groupId}`)?.scrollIntoView({ block: "start" })
      if (blockId) commands.open({ type: "block", id: blockId }, false)
    },
    [commands],
  )
  const search = useCallback(() => setFinder({ kind: "search" }), [])
  const findBlock = useCallback(() => setFinder({ kind: "add" }), [])
  const leave = useCallback(() => commands.show(undefined), [commands])
  useCanvasKeys({ commands, mayEdit, root, onSearch: search, onAdd: findBlock, onLeave: leave })
  usePresence(botId, openId)
  const finderProps = useFinderChoices(finder, { commands, words, jump })
  const goTo = (exit: Exit, name: string) => setFinder({ kind: "goTo", exit, name })
  const actions = useMemo(
    () => ({
      mayEdit,
      words,
      findings,
      open: commands.open,
      rename: commands.rename,
      put: commands.put,
      drag: () => undefined,
      goTo: () => undefined,
      menu: () => undefined,
      titleOfTarget: () => undefined,
    }),
    [mayEdit, words, findings, commands],
  )
  return (
    <CanvasContext value={actions}>
      <div ref={root} className={classes.list}>
        <div className={classes.tools}>
          <Button
            variant="default"
            size="xs"
            px={8}
            leftSection={<Icon name="search" size={14} />}
            onClick={search}
          >
            {t.search}
          </Button>
          {mayEdit && (
            <Button
              variant="default"
              size="xs"
              px={8}
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => commands.addGroup()}
            >
              {t.addGroup}
            </Button>
          )}
          {mayEdit && (
            <>
              <ActionIcon aria-label={t.undo} onClick={commands.undo}>
                <Icon name="undo-2" size={16} />
              </ActionIcon>
              <ActionIcon aria-label={t.redo} onClick={commands.redo}>
                <Icon name="redo-2" size={16} />
              </ActionIcon>
            </>
          )}
        </div>
        {(bot.events ?? []).length > 0 && (
          <section className={classes.group} aria-label={t.events}>
            <h2>{t.events}</h2>
            {(bot.events ?? []).map((event) => {
              const label = entryOf(event.type)?.label ?? event.type
              return (
                <div key={event.id} className={classes.block}>
                  <button
                    type="button"
                    data-event={event.id}
                    onClick={({ detail }) => {
                      commands.open({ type: "event", id: event.id }, false)
                      if (detail === 0) enterPanel(event.id)
                    }}
                  >
                    <CatalogueIcon name={entryOf(event.type)?.icon ?? "flag"} size={16} />
                    <span>{label}</span>
                  </button>
                  <FindingBadge at={[`event:${event.id}`, ...edgesAt(exitOfEvent(event))]} />
                  <Way exit={exitOfEvent(event)} name={label} onGoTo={goTo} />
                </div>
              )
            })}
          </section>
        )}
        {bot.groups.map((group) => (
          <ListedGroup
            key={group.id}
            group={group}
            words={words}
            commands={commands}
            onGoTo={goTo}
            onMenu={setMenu}
            onAdd={setSlot}
          />
        ))}
        <div className={canvasClasses.said} role="status" aria-live="polite">
          {said}
        </div>
        {menu && (
          <FlowMenu
            {...menu}
            commands={commands}
            mayEdit={mayEdit}
            onClose={() => setMenu(undefined)}
            onMoveTo={(blockId) => setFinder({ kind: "moveTo", blockId })}
          />
        )}
        {finderProps && <Finder {...finderProps} onClose={() => setFinder(undefined)} />}
        <Drawer
          opened={slot !== undefined}
          onClose={() => setSlot(undefined)}
          position="bottom"
          size="75%"
          title={t.addBlock}
        >
          <PaletteList
            onAdd={(entry) => {
              setSlot(undefined)
              return commands.add(entry, slot)
            }}
          />
        </Drawer>
      </div>
    </CanvasContext>
  )
}

type GroupProps = {
  group: BotGroup
  words: Words
  commands: Commands
  onGoTo(exit: Exit, name: string): void
  onMenu(menu: OpenMenu): void
  onAdd(slot: Slot): void
}

function ListedGroup({ group, words, commands, onGoTo, onMenu, onAdd }: GroupProps) {
  const t = useTexts(canvasTexts)
  const { mayEdit, entryOf } = useEditing()
  const { block: openId } = useSelected()
  return (
    <section
      id={`list-${group.id}`}
      className={classes.group}
      aria-label={t.groupOf(group.title, group.blocks.length)}
    >
      <header>
        <TitleField
          title={group.title}
          onRename={mayEdit ? (title) => commands.rename(group.id, title) : undefined}
        />
        <FindingBadge at={[`group:${group.id}`]} />
        {mayEdit && (
          <ActionIcon
            aria-label={t.menuOf(group.title || t.untitled)}
            onClick={({ clientX: x, clientY: y }) =>
              onMenu({ element: { type: "group", id: group.id }, at: { x, y } })
            }
          >
            <Icon name="ellipsis" size={16} />
          </ActionIcon>
        )}
      </header>
      {group.blocks.map((block, index) => {
        const entry = entryOf(block.type)
        const { label, summary, saves } = words.ofBlock(block, entry)
        const exits = exitsOfBlock(block, entry)
        const names = new Map(
          exits.items.flatMap(({ exit, paths, index: item }) => [
            [exit, words.ofItem(block, item)] as const,
            ...paths.map((path, at) => [path, words.ofPath(block, item, at)] as const),
          ]),
        )
        const isLast = index === group.blocks.length - 1
        return (
          <div
            key={block.id}
            className={classes.block}
            data-selected={block.id === openId || undefined}
            data-kind={entry?.kind}
          >
            <button
              type="button"
              data-row={block.id}
              onClick={({ detail }) => {
                commands.open({ type: "block", id: block.id }, false)
                if (detail === 0) enterPanel(block.id)
              }}
            >
              <CatalogueIcon name={entry?.icon ?? "box"} size={16} />
              <span>
                {!isSaid(block) && <b>{label} </b>}
                {summary || (isSaid(block) && label)}
              </span>
              {saves && <span className={canvasClasses.saves}>{saves}</span>}
            </button>
            <FindingBadge at={[`block:${block.id}`, ...edgesAt(...allExits(exits))]} />
            {mayEdit && (
              <ActionIcon
                aria-label={t.menuOf(summary || label)}
                onClick={({ clientX: x, clientY: y }) =>
                  onMenu({ element: { type: "block", id: block.id }, at: { x, y } })
                }
              >
                <Icon name="ellipsis" size={16} />
              </ActionIcon>
            )}
            {allExits(exits)
              .filter((exit) => exit !== exits.own || isLast || exit.edgeId !== undefined)
              .map((exit) => (
                <Way
                  key={exit.key}
                  exit={exit}
                  name={
                    exit === exits.own
                      ? exits.items.length > 0
                        ? t.otherwise
                        : ""
                      : (names.get(exit) ?? "")
                  }
                  onGoTo={onGoTo}
                />
              ))}
          </div>
        )
      })}
      {mayEdit && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onAdd({ groupId: group.id, index: group.blocks.length })}
        >
          {t.addBlock}
        </Button>
      )}
    </section>
  )
}

/** Where an exit leads, in words; pressed, it leads elsewhere. */
function Way({ exit, name, onGoTo }: { exit: Exit; name: string; onGoTo: GroupProps["onGoTo"] }) {
  const t = useTexts(canvasTexts)
  const { bot, mayEdit } = useEditing()
  const edge = bot.edges.find(({ id }) => id === exit.edgeId)
  const target = bot.groups.find(({ id }) => id === edge?.to.groupId)
  const words = target ? t.leadsTo(target.title || t.untitled) : t.goTo
  return (
    <button
      type="button"
      className={classes.way}
      data-taken={target !== undefined || undefined}
      disabled={!mayEdit}
      onClick={() => onGoTo(exit, name || t.goTo)}
    >
      <span>{name}</span>
      <span>{words}</span>
      <Icon name="arrow-right" size={14} />
    </button>
  )
}
