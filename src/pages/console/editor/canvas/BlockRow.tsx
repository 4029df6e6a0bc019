/** A block in its group: what it does in words, its items, and where it leads. */

import { ActionIcon } from "@mantine/core"
import { Handle, Position } from "@xyflow/react"
import { type MouseEvent, useState } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import { enterPanel } from "../panels/panelFocus.ts"
import { useTraceOf } from "../tryOut/trace.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { ExitHandle } from "./ExitHandle.tsx"
import { type Exit, edgesAt, entryKey } from "./exitsOf.ts"
import { FindingBadge } from "./FindingBadge.tsx"
import type { Person } from "./flowModel.ts"
import type { BlockLayout } from "./groupLayout.ts"
import { MarkFrame } from "./MarkFrame.tsx"
import { lookOf, namesOf } from "./people.ts"
import { isSaid } from "./reading.ts"
import type { Point } from "./selection.ts"
import { TextInPlace } from "./TextInPlace.tsx"
import { focusRow } from "./useCanvasKeys.ts"

type Props = {
  layout: BlockLayout
  isSelected: boolean
  isLast: boolean
  others: readonly Person[] | undefined
}

const isWithMore = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => shiftKey || ctrlKey || metaKey

export function BlockRow({ layout, isSelected, isLast, others }: Props) {
  const t = useTexts(canvasTexts)
  const { words, mayEdit, open, drag, menu } = useCanvas()
  const trace = useTraceOf(layout.block.id)
  const { block, entry, exits, height, lines, hasOtherwise } = layout
  const { label, summary, saves } = words.ofBlock(block, entry)
  const element = { type: "block", id: block.id } as const
  const isText = isSaid(block) && summary !== ""
  const [writing, setWriting] = useState<{ at?: Point }>()
  const openIt = (event: MouseEvent) => {
    // The group around it is selected otherwise.
    event.stopPropagation()
    open(element, isWithMore(event))
  }
  const write = (event: MouseEvent) => {
    openIt(event)
    // A key presses the button as a whole, a pointer its words or its icon.
    const isByKey = event.detail === 0
    if (!mayEdit || !isSaid(block) || isWithMore(event)) {
      if (isByKey) enterPanel(block.id)
      return
    }
    const isOnWords = (event.target as HTMLElement).closest("[data-words]") !== null
    if (isByKey) setWriting({})
    else if (isOnWords) setWriting({ at: { x: event.clientX, y: event.clientY } })
  }
  const leave = () => {
    const hasFocus = document.activeElement?.closest(`.${classes.inPlace}`) != null
    setWriting(undefined)
    if (hasFocus) focusRow(block.id)
  }
  const icon = (
    <span className={classes.icon}>
      <CatalogueIcon name={entry?.icon ?? "box"} size={16} />
    </span>
  )
  const said = (
    <span className={classes.speech} style={{ WebkitLineClamp: lines }} data-words>
      <span className={classes.said}>{`${label}: `}</span>
      {summary}
    </span>
  )
  const item = (key: string, exit: Exit | undefined, name: string, isPath = false) => (
    <div key={key} className={classes.item} data-path={isPath || undefined}>
      <button type="button" tabIndex={-1} className={classes.itemLabel} onClick={openIt}>
        {name || <span className={classes.faint}>{t.noLabel}</span>}
      </button>
      {exit?.from.itemId && <MarkFrame id={exit.from.itemId} />}
      {exit && <ExitHandle exit={exit} name={name || label} />}
      <FindingBadge at={edgesAt(exit)} />
    </div>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside takes keys; this takes drags.
    <div
      className={`${classes.row} nodrag nokey`}
      data-block={block.id}
      data-selected={isSelected || undefined}
      data-kind={entry?.kind}
      data-trace={trace}
      style={{ height, ...lookOf(others) }}
      data-others={others && namesOf(others)}
      onPointerDown={(event) => drag(event, block.id)}
      onContextMenu={(event) => {
        event.preventDefault()
        event.stopPropagation()
        menu(element, { x: event.clientX, y: event.clientY })
      }}
    >
      <Handle
        id={entryKey(block.id)}
        type="target"
        position={Position.Left}
        className={classes.entry}
        isConnectableStart={false}
      />
      {writing ? (
        <div className={classes.words} data-written>
          {icon}
          <TextInPlace block={block} label={label} at={writing.at} onLeave={leave}>
            {said}
          </TextInPlace>
        </div>
      ) : (
        <button
          type="button"
          className={classes.words}
          data-row={block.id}
          aria-current={isSelected || undefined}
          onClick={write}
          style={{ height: lines * 20 + 16 }}
        >
          {icon}
          {isText ? (
            said
          ) : (
            <span className={classes.summary} data-words>
              <span>{label}</span>
              {summary && <span className={classes.faint}> {summary}</span>}
            </span>
          )}
          {saves && (
            <span className={classes.saves}>
              <span className={classes.said}>{t.savesTo("")}</span>
              {saves}
            </span>
          )}
        </button>
      )}
      <FindingBadge at={[`block:${block.id}`, ...edgesAt(hasOtherwise ? undefined : exits.own)]} />
      <MarkFrame id={block.id} />
      {mayEdit && (
        <ActionIcon
          className={classes.more}
          size="sm"
          tabIndex={-1}
          aria-label={t.menuOf(label)}
          onClick={(event) => {
            event.stopPropagation()
            menu(element, { x: event.clientX, y: event.clientY })
          }}
        >
          <Icon name="ellipsis" size={14} />
        </ActionIcon>
      )}
      {exits.items.map(({ index, exit, paths }) => [
        item(`${index}`, exit, words.ofItem(block, index)),
        ...paths.map((path, at) =>
          item(`${index}/${at}`, path, words.ofPath(block, index, at), true),
        ),
      ])}
      {hasOtherwise && item("otherwise", exits.own, t.otherwise)}
      {exits.own && exits.items.length === 0 && (
        <ExitHandle exit={exits.own} name={summary || label} isQuiet={!isLast} />
      )}
    </div>
  )
}
