/** Conversations of a bot: those that go on, and one of them, which a person can take over. */
import { Button, Group, Loader, NativeSelect, Skeleton, Stack, Switch, Text } from "@mantine/core"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./ConversationsPage.module.css"
import { type ConversationsSearch, states } from "./conversationsSearch.ts"
import { OneConversation } from "./OneConversation.tsx"
import { StateMark, useStateNames } from "./StateMark.tsx"

const texts = defineTexts({
  en: {
    list: "Conversations",
    state: "State",
    all: "All states",
    mine: "Assigned to me",
    visitor: "Visitor",
    more: "Show more",
    noneTitle: "No conversations here",
    none: "A conversation is here as soon as a person has answered the published bot.",
    chooseTitle: "Choose a conversation",
    choose: "Read along, take over from the bot, and hand back when you are done.",
  },
  de: {
    list: "Gespräche",
    state: "Zustand",
    all: "Alle Zustände",
    mine: "Mir zugewiesen",
    visitor: "Besucher",
    more: "Weitere zeigen",
    noneTitle: "Keine Gespräche",
    none: "Ein Gespräch ist hier, sobald jemand dem veröffentlichten Bot geantwortet hat.",
    chooseTitle: "Wähle ein Gespräch",
    choose: "Lies mit, übernimm für den Bot, und gib zurück, wenn du fertig bist.",
  },
})

export const Route = createLazyRoute("/bots/$botId/conversations")({
  component: ConversationsPage,
})

type Listed = Outputs["conversation"]["list"]["conversations"][number]

/** New conversations are seen after this time. */
const listedAgainMs = 5_000
const pageSize = 40
/** Chats without an answer are passed over: pages are short, or empty, although more follow. */
const maxShortPages = 5

function ConversationsPage() {
  const t = useTexts(texts)
  const names = useStateNames()
  const { botId } = useParams({ from: "/bots/$botId" })
  const search: ConversationsSearch = useSearch({ from: "/bots/$botId/conversations" })
  const { state, mine, session } = search
  const navigate = useNavigate({ from: "/bots/$botId/conversations" })
  const { data: me } = useQuery(api.user.getMe.queryOptions())
  const list = useInfiniteQuery(
    api.conversation.list.infiniteQueryOptions(
      {
        ...{ botId, chats: "all", limit: pageSize },
        ...(state && { state }),
        ...(mine && me && { assigneeId: me.id }),
      },
      { getNextPageParam: ({ nextCursor }) => nextCursor, refetchInterval: listedAgainMs },
    ),
  )
  const pages = list.data?.pages ?? []
  const conversations = pages.flatMap((page) => page.conversations)
  const isShort = conversations.length < pageSize / 2 && pages.length < maxShortPages
  const isFilling = isShort && list.hasNextPage && !list.isError
  useEffect(() => {
    if (isFilling && !list.isFetching) void list.fetchNextPage()
  }, [isFilling, list.isFetching, list.fetchNextPage])
  return (
    <div className={classes.page} data-open={session !== undefined || undefined}>
      <aside className={classes.list} aria-label={t.list}>
        <Group gap="sm" p="sm" className={classes.filters}>
          <NativeSelect
            size="xs"
            aria-label={t.state}
            value={state ?? ""}
            data={[
              { value: "", label: t.all },
              ...states.map((value) => ({ value, label: names[value] })),
            ]}
            onChange={({ currentTarget: { value } }) => {
              const { state: _, ...rest } = search
              const known = states.find((each) => each === value)
              void navigate({ search: { ...rest, ...(known && { state: known }) }, replace: true })
            }}
          />
          <Switch
            size="xs"
            label={t.mine}
            checked={mine === true}
            onChange={({ currentTarget }) => {
              const { mine: _, ...rest } = search
              const next = { ...rest, ...(currentTarget.checked && { mine: true }) }
              void navigate({ search: next, replace: true })
            }}
          />
        </Group>
        {list.error ? (
          <Problem error={list.error} retry={() => void list.refetch()} />
        ) : list.isPending || (isFilling && conversations.length === 0) ? (
          <Stack p="md">
            {["first", "second", "third"].map((place) => (
              <Skeleton key={place} height={36} />
            ))}
          </Stack>
        ) : conversations.length === 0 && !list.hasNextPage ? (
          <Nothing title={t.noneTitle} words={t.none} />
        ) : (
          <ul className={classes.entries}>
            {conversations.map((each) => (
              <li key={each.sessionId}>
                <Entry conversation={each} isOpen={each.sessionId === session} />
              </li>
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button
            variant="subtle"
            size="xs"
            m="sm"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t.more}
          </Button>
        )}
      </aside>
      <div className={classes.one}>
        {session === undefined ? (
          <Nothing title={t.chooseTitle} words={t.choose} />
        ) : me ? (
          <OneConversation key={session} sessionId={session} me={me} />
        ) : (
          <Loader m="xl" />
        )}
      </div>
    </div>
  )
}

function Entry({ conversation, isOpen }: { conversation: Listed; isOpen: boolean }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const { key, sessionId, resultId, state, updatedAt, waitsFor } = conversation
  return (
    <Link
      from="/bots/$botId/conversations"
      to="."
      search={(former) => ({ ...former, session: sessionId })}
      className={classes.entry}
      aria-current={isOpen || undefined}
    >
      <span className={classes.entryName} dir="auto">
        {key ?? `${t.visitor} ${resultId.slice(-4)}`}
      </span>
      <time dateTime={updatedAt} className={classes.entryTime}>
        {writing.ago(updatedAt)}
      </time>
      <StateMark state={state} />
      <span className={classes.entryPlace} dir="auto">
        {waitsFor?.groupTitle}
      </span>
    </Link>
  )
}

function Nothing({ title, words }: { title: string; words: string }) {
  return (
    <Stack align="center" gap={4} p="xl" mt="xl" ta="center">
      <Icon name="messages-square" size={36} />
      <Text fw={600} mt="xs">
        {title}
      </Text>
      <Text size="sm" c="dimmed" maw="22rem">
        {words}
      </Text>
    </Stack>
  )
}
