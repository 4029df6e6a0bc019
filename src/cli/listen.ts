/** parley listen */
import { setTimeout as sleep } from "node:timers/promises"
import type { ParleyClient, ParleyOutputs } from "../client.ts"
import { newEndpointSecret, signatureHeaders } from "../effects/webhooks/signature.ts"
import { command, print, tell } from "./command.ts"
import { botIdOf, serviceArgs, withService, workspaceIdOf } from "./withService.ts"

/** Forwards the events of a workspace to a local address. */
export const listenCommand = command({
  name: "listen",
  description: "Forward the events of a workspace to an address, signed, without an endpoint",
  args: {
    forward: {
      type: "string",
      description: "Address that gets the events, such as http://127.0.0.1:4000/hook",
      required: true,
    },
    workspace: { type: "string", description: "Id or name of the workspace" },
    bot: { type: "string", description: "Id or public id of a bot: only its events" },
    types: { type: "string", description: "Types of events, separated by commas; all by default" },
    secret: { type: "string", description: "Signs what is sent; made anew by default" },
    ...serviceArgs,
  },
  run: async ({ forward, workspace, bot, types, secret: given, url, token }, environment) => {
    if (!/^https?:\/\//.test(forward) || !URL.canParse(forward)) {
      throw new Error(`"${forward}" is not an address such as http://127.0.0.1:4000/hook.`)
    }
    const secret = given ?? newEndpointSecret()
    const stopping = new AbortController()
    process.once("SIGINT", () => stopping.abort())
    process.once("SIGTERM", () => stopping.abort())
    await withService(environment, { url, token }, async (client) => {
      const wanted = {
        workspaceId: await workspaceIdOf(client, workspace),
        ...(bot !== undefined && { botIds: [await botIdOf(client, bot)] }),
        // The service says which of them it does not know.
        ...(types !== undefined && { types: types.split(",") as Wanted["types"] }),
      }
      const begun = () => tell(`Forwarding events to ${forward}, signed with ${secret}`)
      const forwarding = { forward, secret, wanted, begun, said: print, signal: stopping.signal }
      await forwardEvents(client, forwarding)
    })
  },
})

type Wanted = Pick<
  Parameters<ParleyClient["webhookEndpoint"]["fetchEvents"]["mutate"]>[0],
  "workspaceId" | "types" | "botIds"
>

/** Which events to forward, and where to. */
type Forwarding = {
  forward: string
  secret: string
  wanted: Wanted
  /** Called once events are kept for it. */
  begun(): void
  /** Takes a line about each event. */
  said(line: string): void
  signal: AbortSignal
  /** Time between looks, a second by default. */
  everyMs?: number
}

type FetchedEvent = ParleyOutputs["webhookEndpoint"]["fetchEvents"]["events"][number]

/** Forwards events, one after the other, until the signal. What the receiver refuses is not repeated. */
export async function forwardEvents(client: ParleyClient, options: Forwarding): Promise<void> {
  const { wanted, begun, said, signal, everyMs = 1_000 } = options
  let listenerId: string | undefined
  let fetched: string[] = []
  while (!signal.aborted) {
    const found = await client.webhookEndpoint.fetchEvents.mutate({
      ...wanted,
      listenerId,
      fetched,
    })
    if (listenerId === undefined) begun()
    else if (listenerId !== found.listenerId)
      tell("Some events may be missing: it was silent for long.")
    listenerId = found.listenerId
    fetched = []
    for (const event of found.events) {
      if (signal.aborted) return
      said(await forwardOne(event, options))
      fetched.push(event.id)
    }
    if (fetched.length === 0) await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
}

/** Forwards an event. Returns what to say about it. */
async function forwardOne(
  { eventId, event }: FetchedEvent,
  { forward, secret, signal }: Forwarding,
): Promise<string> {
  const body = JSON.stringify(event)
  const signed = signatureHeaders({ id: eventId, at: new Date(), body, secrets: [secret] })
  const headers = { "content-type": "application/json", ...signed }
  const answer = await fetch(forward, { method: "POST", headers, body, signal, redirect: "manual" })
    .then(async (response) => {
      await response.body?.cancel()
      return String(response.status)
    })
    .catch(
      (error: Error) =>
        `no answer (${error.cause instanceof Error ? error.cause.message : error.message})`,
    )
  return `${event.timestamp} ${event.type} ${eventId}: ${answer}`
}
