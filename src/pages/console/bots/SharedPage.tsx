/** What others share with the user: invitations to answer, and single bots. */
import { Button, Skeleton } from "@mantine/core"
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import { createLazyRoute, Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { api, queryClient } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { useWriting } from "../shell/writing.ts"
import { BotIcon } from "./BotIcon.tsx"
import classes from "./BotsPage.module.css"
import { NothingHere } from "./NothingHere.tsx"
import rows from "./rows.module.css"

export const Route = createLazyRoute("/home/shared")({ component: SharedPage })

const texts = defineTexts({
  en: {
    title: "Shared with you",
    invitations: "Invitations",
    bots: "Bots",
    accept: "Accept",
    decline: "Decline",
    toWorkspace: {
      ADMIN: "Workspace, as its admin",
      MEMBER: "Workspace, as a member who edits its bots",
      GUEST: "Workspace, as a guest",
    },
    toBot: {
      READ: (workspace: string) => `Bot of ${workspace}, to view`,
      WRITE: (workspace: string) => `Bot of ${workspace}, to edit`,
    },
    accepted: (name: string) => `You are in ${name} now`,
    invited: (ago: string) => `invited ${ago}`,
    shared: (ago: string) => `Shared ${ago}`,
    right: { write: "You may edit it", read: "You may view it", guest: "You may view it" },
    none: "Nothing is shared with you",
    noneWhy: "Bots that others share with you, and their invitations, appear here.",
    more: "Show more",
  },
  de: {
    title: "Mit dir geteilt",
    invitations: "Einladungen",
    bots: "Bots",
    accept: "Annehmen",
    decline: "Ablehnen",
    toWorkspace: {
      ADMIN: "Arbeitsbereich, den du verwaltest",
      MEMBER: "Arbeitsbereich, dessen Bots du bearbeitest",
      GUEST: "Arbeitsbereich, als Gast",
    },
    toBot: {
      READ: (workspace: string) => `Bot von ${workspace}, zum Ansehen`,
      WRITE: (workspace: string) => `Bot von ${workspace}, zum Bearbeiten`,
    },
    accepted: (name: string) => `Du bist jetzt in ${name}`,
    invited: (ago: string) => `eingeladen ${ago}`,
    shared: (ago: string) => `Geteilt ${ago}`,
    right: {
      write: "Du darfst ihn bearbeiten",
      read: "Du darfst ihn ansehen",
      guest: "Du darfst ihn ansehen",
    },
    none: "Mit dir ist nichts geteilt",
    noneWhy: "Hier erscheinen Bots, die andere mit dir teilen, und ihre Einladungen.",
    more: "Mehr anzeigen",
  },
})

function SharedPage() {
  const t = useTexts(texts)
  useTitle(t.title)
  const writing = useWriting()
  const toWorkspaces = useQuery(api.user.listInvitations.queryOptions())
  const toBots = useQuery(api.user.listBotInvitations.queryOptions())
  const shared = useInfiniteQuery(
    api.user.listSharedBots.infiniteQueryOptions(
      {},
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const answers = useAnswers()
  const workspaces = toWorkspaces.data?.invitations ?? []
  const invitedBots = toBots.data?.invitations ?? []
  const bots = shared.data?.pages.flatMap((page) => page.bots) ?? []
  const error = toWorkspaces.error ?? toBots.error ?? shared.error
  const isPending = toWorkspaces.isPending || toBots.isPending || shared.isPending
  const isEmpty = workspaces.length + invitedBots.length + bots.length === 0
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <h1 className={classes.title}>{t.title}</h1>
      </header>
      {error ? (
        <Problem error={error} />
      ) : isPending ? (
        <Skeleton height={72} radius="md" />
      ) : (
        isEmpty && <NothingHere icon="users" title={t.none} why={t.noneWhy} />
      )}
      {workspaces.length + invitedBots.length > 0 && (
        <section aria-labelledby="invitations">
          <h2 id="invitations" className={rows.heading}>
            {t.invitations}
          </h2>
          <ul className={rows.rows}>
            {workspaces.map(({ id, workspace, type, createdAt }) => (
              <Row
                key={id}
                thing={workspace}
                facts={[t.toWorkspace[type], t.invited(writing.ago(createdAt))]}
              >
                <Button
                  size="compact-md"
                  onClick={() =>
                    answers.acceptWorkspace.mutate(
                      { invitationId: id },
                      { onSuccess: () => notify({ message: t.accepted(workspace.name) }) },
                    )
                  }
                >
                  {t.accept}
                </Button>
                <Button
                  size="compact-md"
                  variant="default"
                  onClick={() => answers.declineWorkspace.mutate({ invitationId: id })}
                >
                  {t.decline}
                </Button>
              </Row>
            ))}
            {invitedBots.map(({ id, bot, workspace, type, createdAt }) => (
              <Row
                key={id}
                thing={bot}
                facts={[t.toBot[type](workspace.name), t.invited(writing.ago(createdAt))]}
              >
                <Button
                  size="compact-md"
                  onClick={() => answers.acceptBot.mutate({ invitationId: id })}
                >
                  {t.accept}
                </Button>
                <Button
                  size="compact-md"
                  variant="default"
                  onClick={() => answers.declineBot.mutate({ invitationId: id })}
                >
                  {t.decline}
                </Button>
              </Row>
            ))}
          </ul>
        </section>
      )}
      {bots.length > 0 && (
        <section aria-labelledby="sharedBots">
          <h2 id="sharedBots" className={rows.heading}>
            {t.bots}
          </h2>
          <ul className={rows.rows}>
            {bots.map((bot) => (
              <Row
                key={bot.id}
                thing={bot}
                botId={bot.id}
                facts={[t.right[bot.accessRight], t.shared(writing.ago(bot.sharedAt))]}
              />
            ))}
          </ul>
        </section>
      )}
      {shared.hasNextPage && (
        <Button
          variant="default"
          className={classes.more}
          loading={shared.isFetchingNextPage}
          onClick={() => shared.fetchNextPage()}
        >
          {t.more}
        </Button>
      )}
    </div>
  )
}

/** Answers to invitations: what they lead to is read again. */
function useAnswers() {
  const options = {
    onError: reportProblem,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(api.user.pathFilter()),
        queryClient.invalidateQueries(api.workspace.pathFilter()),
      ]),
  }
  return {
    acceptWorkspace: useMutation(api.user.acceptInvitation.mutationOptions(options)),
    declineWorkspace: useMutation(api.user.declineInvitation.mutationOptions(options)),
    acceptBot: useMutation(api.user.acceptBotInvitation.mutationOptions(options)),
    declineBot: useMutation(api.user.declineBotInvitation.mutationOptions(options)),
  }
}

type RowProps = {
  thing: { name: string; icon: string | null }
  /** Absent: the name leads nowhere yet. */
  botId?: string
  facts: readonly string[]
  children?: ReactNode
}

function Row({ thing, botId, facts, children }: RowProps) {
  return (
    <li className={rows.row}>
      <BotIcon bot={thing} size={36} />
      <div className={rows.about}>
        {botId === undefined ? (
          <strong>{thing.name}</strong>
        ) : (
          <Link to="/bots/$botId" params={{ botId }}>
            {thing.name}
          </Link>
        )}
        <small>{facts.join(" · ")}</small>
      </div>
      {children && <div className={rows.actions}>{children}</div>}
    </li>
  )
}
