/** The list itself: the folder at hand with what is in it, or what a search has found. */
import { Button, Skeleton } from "@mantine/core"
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { api } from "../shell/api.ts"
import { Problem } from "../shell/Problem.tsx"
import { useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import type { ListedWorkspace } from "../shell/useWorkspace.ts"
import { type Folder, type ListedBot, type Selected, useAsk } from "./askedDialog.ts"
import { BotCard } from "./BotCard.tsx"
import classes from "./BotsPage.module.css"
import { BotsTools } from "./BotsTools.tsx"
import { botOrders } from "./botsSearch.ts"
import { botsTexts } from "./botsTexts.ts"
import { FolderList, FolderPath, pathTo } from "./Folders.tsx"
import { NothingHere } from "./NothingHere.tsx"
import { Selection } from "./Selection.tsx"

const pageSize = 60
const route = getRouteApi("/home/")

type Props = {
  workspace: ListedWorkspace
  canEdit: boolean
  selected: Selected
  onSelect: (selected: Selected) => void
}

export function BotList({ workspace, canEdit, selected, onSelect }: Props) {
  const t = useTexts(botsTexts)
  const { folder: named, q, sort = botOrders[0] } = route.useSearch()
  const { id: workspaceId } = workspace
  const { data } = useQuery(api.folder.list.queryOptions({ workspaceId }))
  const folders = data?.folders ?? []
  const path = canEdit && q === undefined ? pathTo(folders, named) : []
  const folderId = path.at(-1)?.id
  useTitle(path.at(-1)?.name ?? t.bots, workspace.name)
  // A folder of the address is asked for before it is known, and one that is gone leads to the root.
  const asked = data === undefined ? named : folderId
  const where = q === undefined ? { folderId: asked ?? "root" } : { search: q }
  const found = useInfiniteQuery(
    api.bot.list.infiniteQueryOptions(
      { workspaceId, ...where, sort, withChats: true, limit: pageSize },
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  )
  const bots = found.data?.pages.flatMap((page) => page.bots)
  const inside = folders.filter(({ parentFolderId }) => parentFolderId === (folderId ?? null))
  const shownFolders = q === undefined && canEdit ? inside : []
  const isNew = bots?.length === 0 && folders.length === 0 && q === undefined
  return (
    <>
      <header className={classes.header}>
        <FolderPath path={path} />
        {!isNew && <BotsTools canEdit={canEdit} folderId={folderId} />}
      </header>
      {selected.size > 0 && <Selection {...{ selected, onSelect }} />}
      <FolderList folders={shownFolders} />
      {bots === undefined ? (
        found.error ? (
          <Problem error={found.error} retry={found.refetch} />
        ) : (
          <Skeletons />
        )
      ) : bots.length === 0 ? (
        <Empty {...{ canEdit, isNew, folderId, q }} />
      ) : (
        <ul className={classes.cards} data-selecting={selected.size > 0 || undefined}>
          {bots.map((bot) => (
            <BotCard
              key={bot.id}
              bot={bot}
              folder={q === undefined ? undefined : nameOf(folders, bot.folderId)}
              isSelected={selected.has(bot.id)}
              onSelect={canEdit ? (is) => onSelect(changed(selected, bot, is)) : undefined}
            />
          ))}
        </ul>
      )}
      {found.hasNextPage && (
        <Button
          variant="default"
          className={classes.more}
          loading={found.isFetchingNextPage}
          onClick={() => found.fetchNextPage()}
        >
          {t.more}
        </Button>
      )}
    </>
  )
}

function nameOf(folders: readonly Folder[], id: string | null): string | undefined {
  return folders.find((folder) => folder.id === id)?.name
}

function changed(selected: Selected, bot: ListedBot, isSelected: boolean): Selected {
  const next = new Map(selected)
  if (isSelected) next.set(bot.id, bot)
  else next.delete(bot.id)
  return next
}

function Skeletons() {
  return (
    <div className={classes.cards} aria-hidden="true">
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <Skeleton key={key} height={164} radius="md" />
      ))}
    </div>
  )
}

type EmptyProps = {
  canEdit: boolean
  /** The workspace has neither bots nor folders. */
  isNew: boolean
  folderId: string | undefined
  q: string | undefined
}

function Empty({ canEdit, isNew, folderId, q }: EmptyProps) {
  const t = useTexts(botsTexts)
  const ask = useAsk()
  const navigate = route.useNavigate()
  const { q: _, ...others } = route.useSearch()
  if (q !== undefined)
    return (
      <NothingHere icon="search" title={t.noneFound(q)}>
        <Button variant="default" onClick={() => navigate({ to: "/", search: others })}>
          {t.clearSearch}
        </Button>
      </NothingHere>
    )
  if (!canEdit) return <NothingHere icon="users" title={t.noneShared} />
  const start = (way?: "empty" | "file") => () =>
    ask({ type: "newBot", folderId, ...(way && { start: way }) })
  return (
    <NothingHere icon="bot" title={isNew ? t.none : t.noneHere} why={t.noneWhy}>
      <Button onClick={start()}>{t.starter}</Button>
      <Button variant="default" onClick={start("empty")}>
        {t.empty}
      </Button>
      <Button variant="default" onClick={start("file")}>
        {t.file}
      </Button>
    </NothingHere>
  )
}
