/** Deleted bots, which can be restored for a while. */
import { Button, Skeleton } from "@mantine/core"
import { useInfiniteQuery, useMutation } from "@tanstack/react-query"
import { createLazyRoute } from "@tanstack/react-router"
import { useState } from "react"
import { api, queryClient } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { useWorkspaces } from "../shell/useWorkspace.ts"
import { useWriting } from "../shell/writing.ts"
import type { ListedBot } from "./askedDialog.ts"
import { BotIcon } from "./BotIcon.tsx"
import classes from "./BotsPage.module.css"
import { DialogFrame } from "./dialogs/DialogFrame.tsx"
import { Confirmation } from "./dialogs/Removal.tsx"
import { NothingHere } from "./NothingHere.tsx"
import rows from "./rows.module.css"

export const Route = createLazyRoute("/home/bin")({ component: BinPage })

const texts = defineTexts({
  en: {
    title: "Bin",
    why: "Bots can be restored for a while, and are then deleted for good.",
    none: "The bin is empty",
    restore: "Restore",
    restored: (name: string) => `${name} is back`,
    delete: "Delete for good",
    confirm: (name: string) => `Delete ${name} for good?`,
    confirmWhy:
      "Its flow, versions, results and files are deleted, and its address becomes free for others. This cannot be undone.",
    deleted: (ago: string) => `Deleted ${ago}`,
    purges: (day: string) => `gone for good ${day}`,
    more: "Show more",
  },
  de: {
    title: "Papierkorb",
    why: "Bots lassen sich eine Zeit lang wiederherstellen, danach werden sie endgültig gelöscht.",
    none: "Der Papierkorb ist leer",
    restore: "Wiederherstellen",
    restored: (name: string) => `${name} ist wieder da`,
    delete: "Endgültig löschen",
    confirm: (name: string) => `${name} endgültig löschen?`,
    confirmWhy:
      "Ablauf, Versionen, Ergebnisse und Dateien werden gelöscht, und die Adresse wird für andere frei. Das lässt sich nicht rückgängig machen.",
    deleted: (ago: string) => `Gelöscht ${ago}`,
    purges: (day: string) => `endgültig am ${day}`,
    more: "Mehr anzeigen",
  },
})

function BinPage() {
  const t = useTexts(texts)
  const { current } = useWorkspaces()
  useTitle(t.title)
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <h1 className={classes.title}>{t.title}</h1>
          <p className={rows.why}>{t.why}</p>
        </div>
      </header>
      {current ? (
        <Bin key={current.id} workspaceId={current.id} />
      ) : (
        <NothingHere icon="trash-2" title={t.none} />
      )}
    </div>
  )
}

const pageSize = 100

function Bin({ workspaceId }: { workspaceId: string }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const [asked, setAsked] = useState<ListedBot>()
  const found = useInfiniteQuery(
    api.bot.list.infiniteQueryOptions(
      { workspaceId, deleted: true, sort: "updatedAt", limit: pageSize },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const restore = useMutation(
    api.bot.restore.mutationOptions({
      onError: reportProblem,
      onSettled: () => queryClient.invalidateQueries(api.bot.list.pathFilter()),
    }),
  )
  if (found.error) return <Problem error={found.error} retry={found.refetch} />
  if (found.data === undefined) return <Skeleton height={72} radius="md" />
  const bots = found.data.pages.flatMap((page) => page.bots)
  if (bots.length === 0) return <NothingHere icon="trash-2" title={t.none} />
  return (
    <>
      <ul className={rows.rows}>
        {bots.map((bot) => (
          <li key={bot.id} className={rows.row}>
            <BotIcon bot={bot} size={36} />
            <div className={rows.about}>
              <strong>{bot.name}</strong>
              <small>
                {[
                  ...(bot.deletedAt ? [t.deleted(writing.ago(bot.deletedAt))] : []),
                  ...(bot.purgesAt ? [t.purges(writing.day(bot.purgesAt))] : []),
                ].join(" · ")}
              </small>
            </div>
            {bot.accessRight === "write" && (
              <div className={rows.actions}>
                <Button
                  variant="default"
                  size="compact-md"
                  aria-label={`${t.restore}: ${bot.name}`}
                  onClick={() =>
                    restore.mutate(
                      { botId: bot.id },
                      { onSuccess: () => notify({ message: t.restored(bot.name) }) },
                    )
                  }
                >
                  {t.restore}
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-md"
                  aria-label={`${t.delete}: ${bot.name}`}
                  onClick={() => setAsked(bot)}
                >
                  {t.delete}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button variant="default" className={classes.more} onClick={() => found.fetchNextPage()}>
          {t.more}
        </Button>
      )}
      {asked && <Deletion bot={asked} onClosed={() => setAsked(undefined)} />}
    </>
  )
}

function Deletion({ bot, onClosed }: { bot: ListedBot; onClosed: () => void }) {
  const t = useTexts(texts)
  const remove = useMutation(
    api.bot.delete.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(api.bot.list.pathFilter()),
    }),
  )
  const words = { botId: bot.id, permanently: true }
  return (
    <DialogFrame title={t.confirm(bot.name)} onClosed={onClosed}>
      {(close) => (
        <Confirmation
          {...{ close, why: t.confirmWhy, action: t.delete, error: remove.error }}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(words, { onSuccess: close })}
        />
      )}
    </DialogFrame>
  )
}
