/** A component that asks through TanStack Query, typed by the router of the client. */
import type { AppRouter } from "@parley/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { createTRPCContext } from "@trpc/tanstack-react-query"

const { useTRPC } = createTRPCContext<AppRouter>()

export function Bots({ workspaceId }: { workspaceId: string }) {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.bot.list.queryOptions({ workspaceId }))
  const publish = useMutation(trpc.bot.publish.mutationOptions())
  if (error?.data?.reason === "ROLE_MISSING") return <p>{error.message}</p>
  // @ts-expect-error there is no such member
  data?.robots
  return (
    <ul>
      {data?.bots.map(({ id, name }) => (
        <li key={id}>
          <button type="button" onClick={() => publish.mutate({ botId: id })}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
