/** What stands beside the canvas: the options of a block, variables, theme, settings, findings, history. */
import { ActionIcon, CloseButton, Skeleton, Stack, Tooltip } from "@mantine/core"
import { CatchBoundary } from "@tanstack/react-router"
import { Suspense } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { lazily } from "../../shell/lazily.ts"
import { Problem } from "../../shell/Problem.tsx"
import { useTexts } from "../../shell/texts.ts"
import { useSelected } from "../editing.ts"
import { leavePanel } from "./panelFocus.ts"
import { panelIcons } from "./panelIcons.ts"
import { panelTexts } from "./panelTexts.ts"
import classes from "./SidePanel.module.css"

const contents = {
  block: lazily(() => import("../blocks/BlockPanel.tsx").then((it) => it.BlockPanel)),
  variables: lazily(() => import("./VariablesPanel.tsx").then((it) => it.VariablesPanel)),
  theme: lazily(() => import("./ThemePanel.tsx").then((it) => it.ThemePanel)),
  settings: lazily(() => import("./SettingsPanel.tsx").then((it) => it.SettingsPanel)),
  findings: lazily(() => import("./FindingsPanel.tsx").then((it) => it.FindingsPanel)),
  history: lazily(() => import("./HistoryPanel.tsx").then((it) => it.HistoryPanel)),
}

export function SidePanel() {
  const t = useTexts(panelTexts)
  const { block, panel, select, ...kept } = useSelected()
  const close = () => select(kept)
  const shown = block !== undefined ? "block" : panel
  const Content = shown && contents[shown]
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
          <CatchBoundary getResetKey={() => shown} errorComponent={Problem}>
            <Suspense fallback={<Loading />}>
              <Content key={block ?? panel} />
            </Suspense>
          </CatchBoundary>
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
