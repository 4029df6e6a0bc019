/** The places to which people jump, those that have the words they typed. */
import { useMantineColorScheme } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { botViews, botViewTexts } from "../bots/botViews.ts"
import { partIcons, partTexts } from "../workspace/partTexts.ts"
import { parts } from "../workspace/workspaceSearch.ts"
import { api } from "./api.ts"
import { homeTexts, homeViews } from "./homeViews.ts"
import type { IconName } from "./iconNames.ts"
import { looks, lookTexts } from "./looks.ts"
import { defineTexts, useTexts } from "./texts.ts"
import { useWorkspaces } from "./useWorkspace.ts"

export type Place = { id: string; label: string; icon: IconName; go(): void }
type Section = { title: string; places: Place[] }

const texts = defineTexts({
  en: { bots: "Bots", views: "Views", workspaces: "Workspaces", look: "Look" },
  de: { bots: "Bots", views: "Ansichten", workspaces: "Arbeitsbereiche", look: "Aussehen" },
})

/** Bots that are listed at once. */
const maxBots = 8

/** `searched` follows `words` once people pause, as each search is a request. */
export function usePlaces({ words, searched }: { words: string; searched: string }): Section[] {
  const t = useTexts(texts)
  const [home, view, part, look] = [
    useTexts(homeTexts),
    useTexts(botViewTexts),
    useTexts(partTexts),
    useTexts(lookTexts),
  ]
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const { botId } = useParams({ strict: false })
  const { all, current } = useWorkspaces()
  const { data: me } = useQuery(api.user.getMe.queryOptions())
  const { data: opened } = useQuery({
    ...api.bot.get.queryOptions({ botId: botId ?? "" }),
    enabled: botId !== undefined,
  })
  const { data, isPlaceholderData } = useQuery({
    ...api.bot.list.queryOptions({
      workspaceId: current?.id ?? "",
      sort: "updatedAt",
      limit: maxBots,
      ...(searched && { search: searched }),
    }),
    enabled: current !== undefined,
    placeholderData: keepPreviousData,
  })
  const hasLabel = ({ label }: Place) => label.toLowerCase().includes(words)
  const isSearched = !isPlaceholderData && searched.toLowerCase() === words
  const listed = (data?.bots ?? []).map(
    ({ id, name }): Place => ({
      id: `bot ${id}`,
      label: name,
      icon: "bot",
      go: () => void navigate({ to: "/bots/$botId", params: { botId: id } }),
    }),
  )
  // The service searches in any spelling. Until it answers, Enter must not open a bot of the former search.
  const bots = isSearched ? listed : listed.filter(hasLabel)
  const viewsOfBot =
    botId === undefined
      ? []
      : botViews.map(
          ([to, name, icon]): Place => ({
            id: `view ${name}`,
            label: view[name],
            icon,
            go: () => void navigate({ to, params: { botId } }),
          }),
        )
  const views = homeViews
    .filter(([, name]) => name !== "operator" || me?.isOperator)
    .map(
      ([to, name, icon]): Place => ({
        id: `home ${name}`,
        label: home[name],
        icon,
        go: () => void navigate({ to }),
      }),
    )
  const partsOfWorkspace =
    current === undefined
      ? []
      : parts.map(
          (each): Place => ({
            id: `part ${each}`,
            label: part[each],
            icon: partIcons[each],
            go: () => void navigate({ to: "/workspace", search: { part: each } }),
          }),
        )
  const workspaces = all
    .filter(({ id }) => id !== current?.id)
    .map(
      ({ id, name }): Place => ({
        id: `workspace ${id}`,
        label: name,
        icon: "building-2",
        go: () => void navigate({ to: "/", search: { workspace: id } }),
      }),
    )
  const appearances = Object.entries(looks).map(
    ([name, icon]): Place => ({
      id: `look ${name}`,
      label: look[name as keyof typeof looks],
      icon,
      go: () => setColorScheme(name as keyof typeof looks),
    }),
  )
  const section = (title: string, places: Place[]): Section => ({
    title,
    places: places.filter(hasLabel),
  })
  return [
    section(opened?.bot.name ?? "", viewsOfBot),
    { title: t.bots, places: bots },
    section(t.views, views),
    section(current?.name ?? "", partsOfWorkspace),
    section(t.workspaces, workspaces),
    section(t.look, appearances),
  ].filter(({ places }) => places.length > 0)
}
