/** The API as every builder app calls it: the typed client, behind a cache of what was read. */

import type { AppRouter, ParleyInputs, ParleyOutputs } from "@parley/client"
import { createParleyClient, isParleyError, readSession } from "@parley/client"
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query"

/** Only here, and no longer in the page, where a script of another page could look for it. */
const session = readSession()
document.querySelector('meta[name="parley-session"]')?.remove()

export const parley = createParleyClient({
  url: location.origin,
  session: () => session,
  headers: () => ({}),
})

const patientMs = 20_000
const maxRepeats = 3

/** A session that has ended leads to the sign-in, and from there back to this view. */
function leaveIfSignedOut(error: unknown): void {
  if (!isParleyError(error) || error.data?.httpStatus !== 401) return
  const { pathname, search } = location
  location.assign(`/signIn?next=${encodeURIComponent(pathname + search)}`)
}

/** Whether a call never reached the service, or the service could not serve it then. */
function isPassing(error: unknown): boolean {
  if (!isParleyError(error)) return false
  const status = error.data?.httpStatus
  return status === undefined || status === 429 || status === 503
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfSignedOut }),
  mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: patientMs,
      retry: (count, error) => count < maxRepeats && isPassing(error),
    },
  },
})

/** Options for `useQuery`, `useMutation` and the like: `api.bot.list.queryOptions({ workspaceId })`. */
export const api = createTRPCOptionsProxy<AppRouter>({ client: parley, queryClient })

/** What procedures take and return: `Outputs["bot"]["list"]`. */
export type Inputs = ParleyInputs
export type Outputs = ParleyOutputs

/** The secret that a form of this page sends along, as that for signing out. */
export const formSecret = session
