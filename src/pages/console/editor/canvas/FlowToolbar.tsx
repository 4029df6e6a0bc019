/** How the flow is seen, and what can be done with all that is selected. */
import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core"
import { useReactFlow, useStore } from "@xyflow/react"
import type { ReactNode } from "react"
import { Icon } from "../../shell/Icon.tsx"
import type { IconName } from "../../shell/iconNames.ts"
import { useTexts } from "../../shell/texts.ts"
import { useWriting } from "../../shell/writing.ts"
import { canvasTexts } from "./canvasTexts.ts"
import classes from "./FlowToolbar.module.css"
import type { Selection } from "./selection.ts"
import type { Commands } from "./useCommands.ts"

export type Tool = "hand" | "pointer"

type ViewProps = {
  tool: Tool
  onTool(tool: Tool): void
  hasMap: boolean
  onMap(hasMap: boolean): void
  onFit(): void
  onSearch(): void
  onTidy: (() => void) | undefined
}

export function ViewToolbar({ tool, onTool, hasMap, onMap, onFit, onSearch, onTidy }: ViewProps) {
  const t = useTexts(canvasTexts)
  return (
    <div className={classes.view} role="toolbar" aria-label={t.canvas}>
      <Tool
        icon="mouse-pointer-2"
        label={t.pointer}
        isOn={tool === "pointer"}
        onClick={() => onTool("pointer")}
      />
      <Tool icon="hand" label={t.hand} isOn={tool === "hand"} onClick={() => onTool("hand")} />
      <i />
      <ZoomTools onFit={onFit} />
      <i />
      <Tool icon="search" label={t.search} onClick={onSearch} />
      <Tool icon="map" label={t.minimap} isOn={hasMap} onClick={() => onMap(!hasMap)} />
      {onTidy && <Tool icon="workflow" label={t.tidy} onClick={onTidy} />}
    </div>
  )
}

export function ZoomTools({ onFit }: { onFit(): void }) {
  const t = useTexts(canvasTexts)
  const { share } = useWriting()
  const flow = useReactFlow()
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100))
  return (
    <>
      <Tool icon="minus" label={t.zoomOut} onClick={() => void flow.zoomOut()} />
      <Tooltip label={t.fit}>
        <button
          type="button"
          className={classes.percent}
          aria-label={`${share(percent, 100)} ${t.fit}`}
          onClick={onFit}
        >
          {share(percent, 100)}
        </button>
      </Tooltip>
      <Tool icon="plus" label={t.zoomIn} onClick={() => void flow.zoomIn()} />
    </>
  )
}

function Tool({
  icon,
  label,
  isOn,
  onClick,
}: {
  icon: IconName
  label: string
  isOn?: boolean
  onClick(): void
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={isOn}
        variant={isOn ? "light" : "subtle"}
        color={isOn ? "accent" : "gray"}
        onClick={onClick}
      >
        <Icon name={icon} size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Shown while several elements are selected. */
export function SelectionToolbar({
  selection,
  commands,
}: {
  selection: Selection
  commands: Commands
}) {
  const t = useTexts(canvasTexts)
  const nodes = selection.groups.size + selection.events.size
  const count = nodes + selection.blocks.size
  if (count < 2) return null
  const item = (label: string, onClick: () => void): ReactNode => (
    <Menu.Item onClick={onClick}>{label}</Menu.Item>
  )
  return (
    <div className={classes.selection} role="toolbar" aria-label={t.chosen(count)}>
      <span>{t.chosen(count)}</span>
      {nodes > 1 && (
        <Menu position="top">
          <Menu.Target>
            <Button size="compact-sm" variant="subtle" color="gray">
              {t.arrange}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {item(t.left, () => commands.align("left"))}
            {item(t.top, () => commands.align("top"))}
            {item(t.columns, () => commands.align("columns"))}
            {item(t.rows, () => commands.align("rows"))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => commands.duplicate(selection)}
      >
        {t.duplicate}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={() => commands.remove(selection)}
      >
        {t.remove}
      </Button>
    </div>
  )
}
