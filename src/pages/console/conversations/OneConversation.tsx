/** One conversation as it goes on: what is said, what the bot knows, and the ways to step in. */
import { ActionIcon, Button, Loader, Menu, Text, Tooltip } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useLayoutEffect, useRef, useState } from "react"
import { api, type Outputs, queryClient } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { ChatLines } from "./ChatLines.tsx"
import { ContinueDialog } from "./ContinueDialog.tsx"
import { ConversationSide } from "./ConversationSide.tsx"
import classes from "./ConversationsPage.module.css"
import type { Change } from "./change.ts"
import { EndDialog } from "./EndDialog.tsx"
import { ReplyForm } from "./ReplyForm.tsx"
import { StateMark } from "./StateMark.tsx"
import { useChatNews } from "./useChatNews.ts"

const texts = defineTexts({
  en: {
    visitor: "Visitor",
    back: "All conversations",
    pause: "Pause the bot",
    resume: "Resume the bot",
    elsewhere: "Continue elsewhere…",
    end: "End the conversation…",
    more: "More",
    details: "Details",
    result: "Open the result",
    messages: "Messages",
    typing: "The visitor is typing…",
    readOnly: "You may read this bot, and not answer for it.",
    over: "This conversation is over.",
  },
  de: {
    visitor: "Besucher",
    back: "Alle Gespräche",
    pause: "Bot anhalten",
    resume: "Bot fortsetzen",
    elsewhere: "Woanders fortsetzen …",
    end: "Gespräch beenden …",
    more: "Mehr",
    details: "Einzelheiten",
    result: "Ergebnis öffnen",
    messages: "Nachrichten",
    typing: "Es wird gerade geschrieben …",
    readOnly: "Du darfst diesen Bot lesen, aber nicht für ihn antworten.",
    over: "Dieses Gespräch ist vorbei.",
  },
})

type Me = Outputs["user"]["getMe"]

/** The state may also change without a message. */
const readAgainMs = 5_000

export function OneConversation({ sessionId, me }: { sessionId: string; me: Me }) {
  const t = useTexts(texts)
  const { botId } = useParams({ from: "/bots/$botId" })
  const [hasSide, setSide] = useState(false)
  const [dialog, setDialog] = useState<"elsewhere" | "end">()
  const options = api.conversation.getSession.queryOptions({ sessionId })
  const { data, error } = useQuery({ ...options, refetchInterval: readAgainMs })
  const { data: read } = useQuery(api.bot.get.queryOptions({ botId }))
  const refresh = () => void queryClient.invalidateQueries({ queryKey: options.queryKey })
  const news = useChatNews(sessionId, refresh)
  const changing = useMutation({
    ...api.conversation.updateSession.mutationOptions(),
    onSuccess: ({ conversation }) => {
      queryClient.setQueryData(options.queryKey, { conversation })
      void queryClient.invalidateQueries({ queryKey: api.conversation.list.pathKey() })
    },
    onError: reportProblem,
  })
  const change = (changes: Change) => changing.mutateAsync({ sessionId, ...changes })
  const talk = useRef<HTMLElement>(null)
  // What was said last is what counts.
  useLayoutEffect(() => {
    talk.current?.scrollTo({ top: talk.current.scrollHeight })
  }, [news.lines.length])
  if (error) return <Problem error={error} retry={refresh} />
  if (!data || !read) return <Loader m="xl" />
  const { conversation } = data
  const { state, key, resultId } = conversation
  const isOver = state === "ended" || state === "expired"
  const mayWrite = read.currentUserMode === "write"
  const steer = (changes: Change) => void change(changes).catch(() => undefined)
  return (
    <>
      <header className={classes.head}>
        <ActionIcon
          className={classes.back}
          aria-label={t.back}
          renderRoot={(props) => (
            <Link
              from="/bots/$botId/conversations"
              to="."
              search={({ session: _, ...former }) => former}
              {...props}
            />
          )}
        >
          <Icon name="chevron-left" />
        </ActionIcon>
        <h2 dir="auto">{key ?? `${t.visitor} ${resultId.slice(-4)}`}</h2>
        <Text size="sm" c="dimmed">
          <StateMark state={state} />
        </Text>
        <div className={classes.actions}>
          {mayWrite && !isOver && (
            <Button
              size="xs"
              variant={state === "paused" ? "filled" : "default"}
              leftSection={<Icon name={state === "paused" ? "play" : "pause"} size={16} />}
              loading={changing.isPending}
              onClick={() => steer({ state: state === "paused" ? "active" : "paused" })}
            >
              {state === "paused" ? t.resume : t.pause}
            </Button>
          )}
          <Tooltip label={t.details}>
            <ActionIcon
              hiddenFrom="lg"
              aria-label={t.details}
              aria-pressed={hasSide}
              onClick={() => setSide(!hasSide)}
            >
              <Icon name="info" />
            </ActionIcon>
          </Tooltip>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={t.more}>
                <Icon name="ellipsis" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<Icon name="table-2" />}
                renderRoot={(props) => (
                  <Link
                    to="/bots/$botId/results"
                    params={{ botId }}
                    search={{ timeFilter: "allTime", result: resultId }}
                    {...props}
                  />
                )}
              >
                {t.result}
              </Menu.Item>
              {mayWrite && !isOver && (
                <>
                  <Menu.Item
                    leftSection={<Icon name="arrow-right" />}
                    onClick={() => setDialog("elsewhere")}
                  >
                    {t.elsewhere}
                  </Menu.Item>
                  <Menu.Item
                    color="red"
                    leftSection={<Icon name="x" />}
                    onClick={() => setDialog("end")}
                  >
                    {t.end}
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </div>
      </header>
      <div className={classes.middle} data-side={hasSide || undefined}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
        <section ref={talk} className={classes.talk} aria-label={t.messages} tabIndex={0}>
          {news.error ? <Problem error={news.error} /> : <ChatLines lines={news.lines} />}
          <Text size="xs" c="dimmed" mih="1.5rem" pt={4} role="status">
            {news.isTyping && t.typing}
          </Text>
        </section>
        <aside className={classes.side} aria-label={t.details}>
          <ConversationSide
            conversation={conversation}
            me={me}
            mayChange={mayWrite && !isOver}
            change={change}
          />
        </aside>
      </div>
      {!mayWrite || isOver ? (
        <Text size="sm" c="dimmed" className={classes.answer}>
          {isOver ? t.over : t.readOnly}
        </Text>
      ) : (
        <ReplyForm
          sessionId={sessionId}
          isPaused={state === "paused"}
          author={me.name ?? undefined}
          onSent={refresh}
        />
      )}
      {dialog === "elsewhere" && (
        <ContinueDialog
          botId={botId}
          versionNumber={conversation.versionNumber}
          change={change}
          isPaused={state === "paused"}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "end" && <EndDialog change={change} onClose={() => setDialog(undefined)} />}
    </>
  )
}
