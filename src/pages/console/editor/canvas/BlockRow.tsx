/** A block in its group: what it does in words, its items, and where it leads. */

import { ActionIcon } from "@mantine/core"
import { Handle, Position } from "@xyflow/react"
import type { MouseEvent } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import { useTraceOf } from "../tryOut/trace.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { ExitHandle } from "./ExitHandle.tsx"
import { type Exit, entryKey } from "./exitsOf.ts"
import { FindingBadge } from "./FindingBadge.tsx"
import type { Person } from "./flowModel.ts"
import type { BlockLayout } from "./groupLayout.ts"
import { lookOf, namesOf } from "./people.ts"
import { isSaid } from "./reading.ts"

type Props = {
  layout: BlockLayout
  isSelected: boolean
  isLast: boolean
  others: readonly Person[] | undefined
}

export function BlockRow({ layout, isSelected, isLast, others }: Props) {
  const t = useTexts(canvasTexts)
  const { words, mayEdit, open, drag, menu } = useCanvas()
  const trace = useTraceOf(layout.block.id)
  const { block, entry, exits, height, lines, hasOtherwise } = layout
  const { label, summary, saves } = words.ofBlock(block, entry)
  const element = { type: "block", id: block.id } as const
  const isText = isSaid(block) && summary !== ""
  const openIt = (event: MouseEvent) => {
    // The group around it is selected otherwise.
    event.stopPropagation()
    open(element, event.shiftKey || event.ctrlKey || event.metaKey)
  }
  const item = (key: string, exit: Exit | undefined, name: string, isPath = false) => (
    <div key={key} className={classes.item} data-path={isPath || undefined}>
      <button type="button" tabIndex={-1} className={classes.itemLabel} onClick={openIt}>
        {name || <span className={classes.faint}>{t.noLabel}</span>}
      </button>
      {exit && <ExitHandle exit={exit} name={name || label} />}
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
      <button
        type="button"
        className={classes.words}
        data-row={block.id}
        aria-current={isSelected || undefined}
        onClick={openIt}
        style={{ height: lines * 20 + 16 }}
      >
        <span className={classes.icon}>
          <CatalogueIcon name={entry?.icon ?? "box"} size={16} />
        </span>
        {isText ? (
          <span className={classes.speech} style={{ WebkitLineClamp: lines }}>
            <span className={classes.said}>{`${label}: `}</span>
            {summary}
          </span>
        ) : (
          <span className={classes.summary}>
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
      <FindingBadge id={block.id} />
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
