/** What operators have decided: who, when, and about which workspace or bot. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import rows from "../bots/rows.module.css"
import { api } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { Listing } from "./Listing.tsx"

const texts = defineTexts({
  en: {
    none: "Nothing was decided yet.",
    operations: {
      decideWorkspace: "Decided about the workspace",
      decideBot: "Decided about the bot",
      applyStripeEvent: "Applied an event of Stripe",
      suspendInactive: "Suspended after inactivity",
    } as Record<string, string>,
    bot: (name: string) => `Bot ${name}`,
    service: "The service",
  },
  de: {
    none: "Noch wurde nichts entschieden.",
    operations: {
      decideWorkspace: "Über den Arbeitsbereich entschieden",
      decideBot: "Über den Bot entschieden",
      applyStripeEvent: "Ein Ereignis von Stripe angewendet",
      suspendInactive: "Wegen Inaktivität gesperrt",
    },
    bot: (name: string) => `Bot ${name}`,
    service: "Der Dienst",
  },
})

export function DecisionsPart({ workspaceId }: { workspaceId?: string }) {
  const t = useTexts(texts)
  const write = useWriting()
  const query = useInfiniteQuery(
    api.operator.listDecisions.infiniteQueryOptions(workspaceId ? { workspaceId } : {}, {
      getNextPageParam: ({ nextCursor }) => nextCursor,
    }),
  )
  const decisions = query.data?.pages.flatMap((page) => page.decisions) ?? []
  return (
    <Listing query={query} none={t.none}>
      {decisions.map(({ id, at, operation, user, botName, ...decision }) => (
        <li key={id} className={rows.row}>
          <div className={rows.about}>
            {workspaceId === undefined ? (
              <Link to="/operator" search={{ about: decision.workspaceId }}>
                {decision.workspaceName ?? decision.workspaceId}
              </Link>
            ) : (
              <strong>{t.operations[operation] ?? operation}</strong>
            )}
            <small>
              {[
                ...(workspaceId === undefined ? [t.operations[operation] ?? operation] : []),
                ...(botName ? [t.bot(botName)] : []),
                user?.name ?? user?.email ?? t.service,
              ].join(" · ")}
            </small>
          </div>
          <small>{write.moment(at)}</small>
        </li>
      ))}
    </Listing>
  )
}
