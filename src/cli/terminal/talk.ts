/** A chat with a bot in the terminal: the smallest complete client of the chat API. */
import { z } from "zod"
import type { ParleyInputs, ParleyOutputs } from "../../client.ts"
import type { Line } from "../output.ts"
import { readReply } from "./choices.ts"
import { emphasised, linesOfAction, linesOfInput, linesOfMessage, type Step } from "./show.ts"

/** Where a person reads and types. */
export type Terminal = {
  /** The next typed line; undefined: there will be no more. */
  ask(): Promise<string | undefined>
  /** Shows a line without the control characters in it. */
  show(line: Line): void
  /** Whether it shows styles; absent: it does not. */
  hasStyles?: boolean
  /** Waits, because the bot pauses. */
  pause(ms: number): Promise<void>
}

/** A published bot, or with a token the draft of one, and its service. */
type ServedBot = { url: string } & ({ publicId: string } | { botId: string; token: string })

type Replied = Omit<ParleyInputs["chat"]["continue"], "sessionId">

/** A chat that has begun; there are no more steps after one that is undefined. */
export type Chat = { first: Step; send(reply: Replied): Promise<Step | undefined> }

const maxPauseMs = 60_000
/** How often to ask whether the webhook call that a chat waits for has come. */
const callPollMs = 3_000

/**
 * Talks until the chat is over or no more lines come. Throws a sentence if the service cannot be
 * reached or refuses.
 */
export async function talk(terminal: Terminal, bot: ServedBot): Promise<void> {
  const api = `${bot.url.replace(/\/+$/, "")}/api/v1`
  const format = { textBubbleContentFormat: "markdown" as const }
  const [startPath, token] =
    "publicId" in bot
      ? [`${api}/bots/${encodeURIComponent(bot.publicId)}/startChat`]
      : [`${api}/bots/${encodeURIComponent(bot.botId)}/preview/startChat`, bot.token]
  const first: ParleyOutputs["chat"]["start"] = await post(startPath, format, token)
  const path = `${api}/sessions/${encodeURIComponent(first.sessionId)}/continueChat`
  const send = (reply: Replied): Promise<Step> => post(path, { ...format, ...reply }, token)
  await talkIn(terminal, { first, send })
}

/** Talks until the chat is over or no more lines come. */
export async function talkIn(terminal: Terminal, { first, send }: Chat): Promise<void> {
  let step: Step | undefined = first
  while (step !== undefined) {
    await perform(terminal, step)
    step = await next(terminal, step, send)
  }
}

/** The next step; undefined: the chat is over, or the person left. */
async function next(terminal: Terminal, step: Step, send: Chat["send"]): Promise<Step | undefined> {
  // A browser would report an outcome; the bot goes on without one, too.
  if (awaitsClient(step)) {
    if (awaitsCall(step)) await terminal.pause(callPollMs)
    return await send({})
  }
  if (step.input === undefined) {
    terminal.show("(The chat is over.)")
    return undefined
  }
  for (const line of linesOfInput(step.input)) terminal.show(line)
  const line = await terminal.ask()
  return line === undefined ? undefined : await send({ message: readReply(step.input, line) })
}

/** Shows the messages and performs the actions, each after its message. */
async function perform(terminal: Terminal, step: Step): Promise<void> {
  let actions = step.clientSideActions ?? []
  const act = async (lastBubbleBlockId: string | undefined) => {
    const due = actions.filter((action) => action.lastBubbleBlockId === lastBubbleBlockId)
    actions = actions.filter((action) => !due.includes(action))
    for (const action of due) {
      for (const line of linesOfAction(action)) terminal.show(line)
      if (action.type !== "wait") continue
      await terminal.pause(Math.min(action.wait.secondsToWaitFor * 1000, maxPauseMs))
    }
  }
  await act(undefined)
  for (const message of step.messages) {
    for (const line of linesOfMessage(message)) {
      terminal.show(terminal.hasStyles ? [{ text: line, paint: emphasised }] : line)
    }
    await act(message.id)
  }
}

function awaitsClient({ clientSideActions = [], messages }: Step): boolean {
  if (clientSideActions.some((action) => action.expectsDedicatedReply)) return true
  const last = messages.at(-1)
  if (last?.type === "embed") return last.content.waitForEvent?.isEnabled === true
  return last?.type === "custom-embed" && last.content.waitForEventFunction !== undefined
}

/** Whether the chat waits for a webhook call of another system. */
function awaitsCall({ clientSideActions = [] }: Step): boolean {
  return clientSideActions.some(({ type }) => type === "listenForWebhook")
}

const problemSchema = z.object({ message: z.string() })

/** Posts JSON. The answer is not checked: it comes from a service of this kind. */
async function post<Answer>(address: string, body: unknown, token?: string): Promise<Answer> {
  const { origin } = new URL(address)
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  }).catch((cause) => {
    const advice = "start Parley with `npm start`, or give another address with --url"
    throw new Error(`${origin} does not answer: ${advice}.`, { cause })
  })
  if (response.ok) return (await response.json()) as Answer
  const problem = problemSchema.safeParse(await response.json().catch(() => undefined))
  throw new Error(
    problem.success
      ? `The service refused: ${problem.data.message}.`
      : `${origin} answered with status ${response.status}: does Parley run there?`,
  )
}
