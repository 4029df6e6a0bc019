/** The chat with the draft, beside the canvas: as visitors get it, with what happens behind it. */
import { ActionIcon, CopyButton, Menu, Tooltip } from "@mantine/core"
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { parley } from "../../shell/api.ts"
import { Icon } from "../../shell/Icon.tsx"
import type { IconName } from "../../shell/iconNames.ts"
import { reportProblem } from "../../shell/notify.ts"
import { useTexts } from "../../shell/texts.ts"
import { useReturnedFocus } from "../../shell/useReturnedFocus.ts"
import { useEditing, useSelected } from "../editing.ts"
import { Insight } from "./Insight.tsx"
import { type ChatHandle, PreviewChat } from "./PreviewChat.tsx"
import classes from "./TryOut.module.css"
import { testFileOf } from "./testFile.ts"
import { forgetTrace, showTrace, startHere, useStart } from "./trace.ts"
import { tryOutTexts } from "./tryOutTexts.ts"

export function TryOut() {
  const t = useTexts(tryOutTexts)
  const { botId, bot, isSaved } = useEditing()
  const { try: _, block, select, ...kept } = useSelected()
  const { startFrom, starts } = useStart()
  const [variables, setVariables] = useState<Readonly<Record<string, unknown>>>({})
  const chat = useRef<ChatHandle>(null)
  const preview = useMemo(() => parley.preview(botId), [botId])
  const state = useSyncExternalStore(preview.onTrace, () => preview.state)
  const saved = useRef(isSaved)
  saved.current = isSaved

  const startEdge = bot.events?.find(({ type }) => type === "start")?.outgoingEdgeId
  useEffect(
    () => showTrace(state, startFrom ? undefined : startEdge),
    [state, startFrom, startEdge],
  )
  useEffect(() => forgetTrace, [])
  useReturnedFocus()
  const head = useRef<HTMLHeadingElement>(null)
  // Between the button that opens the chat and the chat are all stops of the canvas.
  useEffect(() => {
    if (document.activeElement?.closest("aside") == null) head.current?.focus()
  }, [])
  // Of a block that is picked on the canvas while the chat is open.
  const seen = useRef(starts)
  useEffect(() => {
    if (seen.current === starts) return
    seen.current = starts
    chat.current?.restart()
  }, [starts])

  const start = async () => {
    // A preview runs the draft as the service has it.
    for (let waits = 0; !saved.current && waits < maxWaits; waits++) await pause()
    const prefilledVariables = variables
    return await preview.restart({ ...(startFrom && { startFrom }), prefilledVariables })
  }
  const back = () =>
    preview
      .back()
      .then(({ turns, input }) => chat.current?.showTurns(turns, input))
      .catch(reportProblem)
  const setVariable = (name: string, value: unknown) => {
    setVariables({
      ...Object.fromEntries(state.variables.map((each) => [each.name, each.value])),
      ...variables,
      [name]: value,
    })
    const at = state.input?.id
    startHere(at === undefined ? startFrom : { type: "block", blockId: at })
  }
  const restart = () => {
    setVariables({})
    startHere(startFrom)
  }
  const close = () => select({ ...kept, ...(block !== undefined && { block }) })
  const group = bot.groups.find(({ blocks }) => blocks.some(({ id }) => id === block))
  return (
    <aside className={classes.tryOut} aria-label={t.title}>
      <header className={classes.head}>
        <h2 ref={head} tabIndex={-1}>
          {t.title}
        </h2>
        <Tool icon="undo-2" label={t.back} onClick={back} isOff={state.turns.length < 2} />
        <Tool icon="rotate-ccw" label={t.restart} onClick={restart} />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t.startAt}>
              <Icon name="crosshair" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t.startAt}</Menu.Label>
            <Menu.Item onClick={() => startHere()}>{t.atStart}</Menu.Item>
            {block !== undefined && group && (
              <Menu.Item onClick={() => startHere({ type: "block", blockId: block })}>
                {t.atBlock}
              </Menu.Item>
            )}
            {bot.groups.slice(0, maxListed).map(({ id, title }) => (
              <Menu.Item key={id} onClick={() => startHere({ type: "group", groupId: id })}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <CopyButton value={testFileOf(state.turns, { name: bot.name, variables })}>
          {({ copied, copy }) => (
            <Tool
              icon={copied ? "check" : "copy"}
              label={copied ? t.copied : t.copyTest}
              onClick={copy}
              isOff={state.turns.length === 0}
            />
          )}
        </CopyButton>
        <Tool icon="x" label={t.close} onClick={close} />
      </header>
      <div className={classes.chat}>
        <PreviewChat preview={preview} onStart={start} handle={chat} />
      </div>
      <Insight state={state} onSet={setVariable} />
    </aside>
  )
}

/** Of groups in the menu: more are started from the canvas. */
const maxListed = 12

const maxWaits = 50
const pauseMs = 100
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, pauseMs))

type ToolProps = { icon: IconName; label: string; isOff?: boolean; onClick(): void }

function Tool({ icon, label, isOff = false, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={isOff} onClick={onClick}>
        <Icon name={icon} size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
