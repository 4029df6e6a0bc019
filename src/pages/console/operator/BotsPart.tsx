/** The bots of the service, or of one workspace: which wait for a review, and which are closed. */
import { Anchor, Badge, Button, Group } from "@mantine/core"
import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import rows from "../bots/rows.module.css"
import { api } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { BotDialog } from "./BotDialog.tsx"
import { Choice, Listing, SearchField } from "./Listing.tsx"
import type { OperatedBot } from "./operated.ts"
import { type BotState, botStates } from "./operatorSearch.ts"
import { operatorTexts } from "./operatorTexts.ts"

const texts = defineTexts({
  en: {
    find: "Name, id or public id of a bot",
    none: "No bot matches.",
    risk: (level: string) => `Risk ${level}`,
    found: (words: string) => `Found: ${words}`,
    unrated: "Not rated",
    chat: "Its chat",
    closed: "Closed",
    decide: "Decide",
    about: (name: string) => `Decide about ${name}`,
  },
  de: {
    find: "Name, ID oder öffentliche ID eines Bots",
    none: "Kein Bot passt.",
    risk: (level: string) => `Risiko ${level}`,
    found: (words: string) => `Gefunden: ${words}`,
    unrated: "Nicht bewertet",
    chat: "Sein Chat",
    closed: "Geschlossen",
    decide: "Entscheiden",
    about: (name: string) => `Über ${name} entscheiden`,
  },
})

const route = getRouteApi("/home/operator")

export function BotsPart() {
  const t = useTexts(texts)
  const shared = useTexts(operatorTexts)
  const { state: inAddress, q } = route.useSearch()
  const navigate = route.useNavigate()
  const state = botStates.find((each) => each === inAddress)
  return (
    <BotsOfService
      {...(q && { search: q })}
      {...(state && { state })}
      filters={
        <>
          <SearchField placeholder={t.find} />
          <Choice
            label={shared.state}
            any={shared.anyState}
            options={botStates.map((value) => ({ value, label: shared.botStates[value] }))}
            value={state}
            onChange={(next) =>
              void navigate({
                search: ({ state: _, ...rest }) => (next ? { ...rest, state: next } : rest),
              })
            }
          />
        </>
      }
    />
  )
}

type Props = {
  workspaceId?: string
  search?: string
  state?: BotState
  filters?: React.ReactNode
}

export function BotsOfService({ filters, ...filter }: Props) {
  const t = useTexts(texts)
  const write = useWriting()
  const [decided, setDecided] = useState<OperatedBot>()
  const query = useInfiniteQuery(
    api.operator.listBots.infiniteQueryOptions(filter, {
      getNextPageParam: ({ nextCursor }) => nextCursor,
    }),
  )
  const bots = query.data?.pages.flatMap((page) => page.bots) ?? []
  const factsOf = ({ workspaceName, riskLevel, riskFound = [] }: OperatedBot) => [
    ...(filter.workspaceId === undefined ? [workspaceName] : []),
    riskLevel === null ? t.unrated : t.risk(write.number(riskLevel)),
    ...(riskFound.length > 0 ? [t.found(riskFound.join(", "))] : []),
  ]
  return (
    <>
      <Listing query={query} none={t.none} filters={filters}>
        {bots.map((bot) => (
          <li key={bot.id} className={rows.row}>
            <div className={rows.about}>
              <strong>{bot.name}</strong>
              <small>{factsOf(bot).join(" · ")}</small>
              {bot.closedReason && <small>{bot.closedReason}</small>}
            </div>
            <Group gap="xs">
              {bot.isClosed && <Badge color="red">{t.closed}</Badge>}
              {bot.publicId !== null && (
                <Anchor size="sm" href={`/chat/${bot.publicId}`} target="_blank">
                  {t.chat}
                </Anchor>
              )}
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t.about(bot.name)}
                onClick={() => setDecided(bot)}
              >
                {t.decide}
              </Button>
            </Group>
          </li>
        ))}
      </Listing>
      {decided && <BotDialog bot={decided} close={() => setDecided(undefined)} />}
    </>
  )
}
