/** parley listen */
import { setTimeout as sleep } from "node:timers/promises"
import {
  isParleyError,
  type ParleyClient,
  type ParleyInputs,
  type ParleyOutputs,
} from "../client.ts"
import { newEndpointSecret, signatureHeaders } from "../effects/webhooks/webhookSignature.ts"
import { option, print, tell } from "./command.ts"
import { botIdOf, serviceCommand, workspaceIdOf } from "./withService.ts"

export const listenCommand = serviceCommand({
  name: "listen",
  description: "Forward the signed events of a workspace to an address, without an endpoint",
  args: {
    forward: {
      ...option("Address that receives the events, such as http://127.0.0.1:4000/hook"),
      required: true,
    },
    workspace: option("Id or name of the workspace (the only one)"),
    bot: option("Id or public id of the only bot to listen to"),
    types: option("Types of events, separated by commas (all)"),
    secret: option("Secret that signs the events (a new one)"),
  },
  run: async ({ forward, workspace, bot, types, secret: given }, { client }) => {
    if (!/^https?:\/\//.test(forward) || !URL.canParse(forward)) {
      throw new Error(`"${forward}" is not an address such as http://127.0.0.1:4000/hook.`)
    }
    const secret = given === undefined ? newEndpointSecret() : signingSecret(given)
    const stopping = new AbortController()
    process.once("SIGINT", () => stopping.abort())
    process.once("SIGTERM", () => stopping.abort())
    const wanted = {
      workspaceId: await workspaceIdOf(client, workspace),
      ...(bot !== undefined && { botIds: [await botIdOf(client, bot)] }),
      // The service refuses types that it does not know.
      ...(types !== undefined && { types: types.split(",") as Wanted["types"] }),
    }
    const onListening = () => tell(`Forwarding events to ${forward}, signed with ${secret}`)
    const { signal } = stopping
    await forwardEvents(client, { forward, secret, wanted, onListening, report: print, signal })
  },
})

/** The secret, if it can sign: otherwise the first event would end the command. */
function signingSecret(secret: string): string {
  try {
    signatureHeaders({ id: "", at: new Date(), body: "", secrets: [secret] })
    return secret
  } catch (cause) {
    throw new Error("--secret must be base64, perhaps behind `whsec_`.", { cause })
  }
}

type FetchEvents = ParleyInputs["webhookEndpoint"]["fetchEvents"]
type Wanted = Pick<FetchEvents, "workspaceId" | "types" | "botIds">

/** Which events to forward, and where to. */
type Forwarding = {
  forward: string
  secret: string
  wanted: Wanted
  /** Called once the service keeps events for this listener. */
  onListening(): void
  /** Takes a line about each event. */
  report(line: string): void
  signal: AbortSignal
  /** Time between two polls, a second by default. */
  everyMs?: number
}

type FetchedEvent = ParleyOutputs["webhookEndpoint"]["fetchEvents"]["events"][number]

/**
 * Forwards events one by one until the signal. An event that the receiver refuses is not repeated. A service that
 * restarts is waited for, because it keeps the events of a minute.
 */
export async function forwardEvents(client: ParleyClient, options: Forwarding): Promise<void> {
  const { wanted, onListening, report, signal, everyMs = 1_000 } = options
  let listenerId: string | undefined
  let fetched: string[] = []
  let isAway = false
  while (!signal.aborted) {
    const request = { ...wanted, listenerId, fetched }
    const asking = client.webhookEndpoint.fetchEvents.mutate(request)
    const found = await asking.catch((error: unknown) => {
      if (listenerId === undefined || !isPassing(error)) throw error
    })
    if (found === undefined) {
      if (!isAway) tell("The service does not answer: waiting until it is back.")
      isAway = true
      await sleep(everyMs, undefined, { signal }).catch(() => {})
      continue
    }
    if (isAway) tell("The service is back.")
    isAway = false
    if (listenerId === undefined) onListening()
    else if (listenerId !== found.listenerId) {
      tell("Some events may be missing: the service was not asked for a long time.")
    }
    listenerId = found.listenerId
    fetched = []
    for (const event of found.events) {
      if (signal.aborted) return
      report(await forwardOne(event, options))
      fetched.push(event.id)
    }
    if (fetched.length === 0) await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
}

/** Whether a service may answer again by itself: it was not reached, or is stopping or busy. */
function isPassing(error: unknown): boolean {
  if (!isParleyError(error)) return false
  const { httpStatus = 503 } = error.data ?? {}
  return httpStatus === 503 || httpStatus === 429
}

/** Forwards an event. Returns the line that reports it. */
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
