/** What stands beside the canvas: the options of a block, variables, theme, settings, findings, history. */
import { ActionIcon, CloseButton, Skeleton, Stack, Tooltip } from "@mantine/core"
import { lazy, Suspense } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { useSelected } from "../editing.ts"
import { leavePanel } from "./panelFocus.ts"
import { panelIcons } from "./panelIcons.ts"
import { panelTexts } from "./panelTexts.ts"
import classes from "./SidePanel.module.css"

const lazily = {
  block: lazy(() => import("../blocks/BlockPanel.tsx").then((it) => ({ default: it.BlockPanel }))),
  variables: lazy(() =>
    import("./VariablesPanel.tsx").then((it) => ({ default: it.VariablesPanel })),
  ),
  theme: lazy(() => import("./ThemePanel.tsx").then((it) => ({ default: it.ThemePanel }))),
  settings: lazy(() => import("./SettingsPanel.tsx").then((it) => ({ default: it.SettingsPanel }))),
  findings: lazy(() => import("./FindingsPanel.tsx").then((it) => ({ default: it.FindingsPanel }))),
  history: lazy(() => import("./HistoryPanel.tsx").then((it) => ({ default: it.HistoryPanel }))),
}

export function SidePanel() {
  const t = useTexts(panelTexts)
  const { block, panel, select, ...kept } = useSelected()
  const close = () => select(kept)
  const shown = block !== undefined ? "block" : panel
  const Content = shown && lazily[shown]
  return (
    <div className={classes.side}>
      <nav className={classes.rail} aria-label={t.panels}>
        <PanelButtons />
      </nav>
      {Content && (
        <aside
          className={classes.panel}
          aria-label={t[shown]}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return
            close()
            if (block !== undefined) leavePanel(block)
          }}
        >
          <CloseButton className={classes.close} aria-label={t.close} onClick={close} />
          <Suspense fallback={<Loading />}>
            <Content key={block ?? panel} />
          </Suspense>
        </aside>
      )}
    </div>
  )
}

/** The buttons that open panels. */
function PanelButtons() {
  const t = useTexts(panelTexts)
  const { block: _, panel, select, ...kept } = useSelected()
  return Object.entries(panelIcons).map(([name, icon]) => {
    const own = name as keyof typeof panelIcons
    return (
      <Tooltip key={name} label={t[own]} position="left">
        <ActionIcon
          size="lg"
          aria-label={t[own]}
          aria-pressed={panel === own}
          onClick={() => select(panel === own ? kept : { ...kept, panel: own })}
        >
          <Icon name={icon} />
        </ActionIcon>
      </Tooltip>
    )
  })
}

function Loading() {
  return (
    <Stack p="lg" gap="md">
      <Skeleton height={28} width="60%" />
      <Skeleton height={36} />
      <Skeleton height={36} />
      <Skeleton height={72} />
    </Stack>
  )
}
