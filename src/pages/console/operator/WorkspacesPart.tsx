/** The workspaces of the service, and the one that is open beside them. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import rows from "../bots/rows.module.css"
import { api } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { Choice, Listing, SearchField } from "./Listing.tsx"
import { OneWorkspace } from "./OneWorkspace.tsx"
import { plans, workspaceStates } from "./operatorSearch.ts"
import { operatorTexts } from "./operatorTexts.ts"
import { StateBadges, useUsage } from "./workspaceFacts.tsx"

const texts = defineTexts({
  en: {
    find: "Name, address of an admin, id of a workspace or bot",
    plan: "Plan",
    anyPlan: "Any plan",
    none: "No workspace matches.",
  },
  de: {
    find: "Name, Adresse eines Admins, ID von Arbeitsbereich oder Bot",
    plan: "Tarif",
    anyPlan: "Jeder Tarif",
    none: "Kein Arbeitsbereich passt.",
  },
})

const route = getRouteApi("/home/operator")

export function WorkspacesPart() {
  const t = useTexts(texts)
  const shared = useTexts(operatorTexts)
  const usage = useUsage()
  const { q: search, plan, state, about } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(
    api.operator.listWorkspaces.infiniteQueryOptions(
      { ...(search && { search }), ...(plan && { plan }), ...(state && { state }) },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const workspaces = query.data?.pages.flatMap((page) => page.workspaces) ?? []
  return (
    <>
      <Listing
        query={query}
        none={t.none}
        filters={
          <>
            <SearchField placeholder={t.find} />
            <Choice
              label={shared.state}
              any={shared.anyState}
              options={workspaceStates.map((value) => ({ value, label: shared.states[value] }))}
              value={state}
              onChange={(next) =>
                void navigate({
                  search: ({ state: _, ...rest }) => (next ? { ...rest, state: next } : rest),
                })
              }
            />
            <Choice
              label={t.plan}
              any={t.anyPlan}
              options={plans.map((value) => ({ value, label: value }))}
              value={plan}
              onChange={(next) =>
                void navigate({
                  search: ({ plan: _, ...rest }) => (next ? { ...rest, plan: next } : rest),
                })
              }
            />
          </>
        }
      >
        {workspaces.map((workspace) => (
          <li key={workspace.id} className={rows.row}>
            <div className={rows.about}>
              <Link
                from="/operator"
                to="."
                search={(former) => ({ ...former, about: workspace.id })}
              >
                {workspace.name}
              </Link>
              <small>{workspace.admins.join(", ")}</small>
              <small>{[workspace.plan, ...usage(workspace)].join(" · ")}</small>
            </div>
            <StateBadges workspace={workspace} />
          </li>
        ))}
      </Listing>
      {about !== undefined && (
        <OneWorkspace
          key={about}
          workspaceId={about}
          close={() => void navigate({ search: ({ about: _, ...rest }) => rest })}
        />
      )}
    </>
  )
}
