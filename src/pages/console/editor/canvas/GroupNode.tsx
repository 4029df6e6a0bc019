/** A group on the canvas. */
import { ActionIcon } from "@mantine/core"
import { Handle, type NodeProps, Position } from "@xyflow/react"
import { memo } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { BlockRow } from "./BlockRow.tsx"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { FindingBadge } from "./FindingBadge.tsx"
import type { GroupNode as GroupNodeOf } from "./flowModel.ts"
import { MarkFrame } from "./MarkFrame.tsx"
import { lookOf, namesOf } from "./people.ts"
import { TitleField } from "./TitleField.tsx"

export const GroupNode = memo(function GroupNode({ data, selected }: NodeProps<GroupNodeOf>) {
  const { group, isLight } = data
  const here = data.others?.find(([id]) => id === group.id)?.[1]
  return (
    <section
      className={classes.group}
      data-group={group.id}
      data-selected={selected || undefined}
      data-light={isLight || undefined}
      data-others={here && namesOf(here)}
      style={{ height: data.layout.height, ...lookOf(here) }}
    >
      <MarkFrame id={group.id} />
      {isLight ? <h2 className={classes.lightTitle}>{group.title}</h2> : <Whole data={data} />}
    </section>
  )
})

function Whole({
  data: { group, layout, selected, others },
}: Pick<NodeProps<GroupNodeOf>, "data">) {
  const t = useTexts(canvasTexts)
  const { mayEdit, menu, rename } = useCanvas()
  const people = new Map(others)
  const element = { type: "group", id: group.id } as const
  return (
    <>
      <header className={classes.head}>
        <Handle
          id="in"
          type="target"
          position={Position.Left}
          className={classes.entry}
          isConnectableStart={false}
        />
        <TitleField
          title={group.title}
          onRename={mayEdit ? (title) => rename(group.id, title) : undefined}
        />
        <FindingBadge at={[`group:${group.id}`]} />
        {mayEdit && (
          <ActionIcon
            className={`${classes.more} nodrag nokey`}
            size="sm"
            aria-label={t.menuOf(group.title || t.untitled)}
            onClick={(event) => menu(element, { x: event.clientX, y: event.clientY })}
          >
            <Icon name="ellipsis" size={16} />
          </ActionIcon>
        )}
      </header>
      {layout.blocks.map((each, index) => (
        <BlockRow
          key={each.block.id}
          layout={each}
          isSelected={selected?.includes(each.block.id) ?? false}
          isLast={index === layout.blocks.length - 1}
          others={people.get(each.block.id)}
        />
      ))}
      {layout.blocks.length === 0 && <p className={classes.hollow}>{t.emptyGroup}</p>}
    </>
  )
}
