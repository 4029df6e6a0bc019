/**
 * What the compiler must say to a builder app. Never run: a mark that meets no error is itself an error,
 * when `npm run check` compiles this over the sources, and when tests do over the package.
 */
import {
  type AppRouter,
  createParleyClient,
  type ParleyClient,
  type ParleyError,
  type ParleyInputs,
  type ParleyOutputs,
  type UnknownBlockType,
} from "@parley/client"

type Changes = ParleyInputs["bot"]["update"]["bot"]
type Group = NonNullable<Changes["groups"]>[number]
type Block = Group["blocks"][number]
type Event = NonNullable<Changes["events"]>[number]
type Asked = NonNullable<ParleyOutputs["chat"]["continue"]["input"]>
type ReadBot = ParleyOutputs["bot"]["get"]["bot"]
type ReadBlock = ReadBot["groups"][number]["blocks"][number]

const place = { id: "g", title: "Contact", graphCoordinates: { x: 0, y: 0 } }

/** Blocks of known types, and of types to come. */
export const group: Group = {
  ...place,
  blocks: [
    { id: "a", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hi" }] }] } },
    { id: "b", type: "email input", options: { variableId: "v" } },
    { id: "c", type: "choice input", items: [{ id: "i", content: "Yes" }] },
    { id: "d", type: "hologram" as UnknownBlockType, depth: 3 },
  ],
}

/** What is no block, no item, no event. */
export const wrong = [
  // @ts-expect-error a number is no block
  { ...place, blocks: [42] } satisfies Group,
  // @ts-expect-error nor is a text
  { ...place, blocks: ["nonsense"] } satisfies Group,
  // @ts-expect-error a block has an id
  { type: "text" } satisfies Block,
  // @ts-expect-error a misspelt type is no type to come
  { id: "a", type: "text inptu" } satisfies Block,
  // @ts-expect-error options of a text input have their shape
  { id: "a", type: "text input", options: { isLong: "yes" } } satisfies Block,
  // @ts-expect-error and so have the items of a choice
  { id: "a", type: "choice input", items: [{ id: "i", content: 3 }] } satisfies Block,
  // @ts-expect-error a text has no options
  { id: "a", type: "text", options: {} } satisfies Block,
  // @ts-expect-error there are four types of events
  { ...place, type: "whatever" } satisfies Event,
  // @ts-expect-error only commands have names
  { ...place, type: "start", options: { command: "x" } } satisfies Event,
]

const groups = [{ ...place, blocks: [42] }]
const blocks = [{ id: "a", type: "text input", options: { isLong: "yes" as const } }]

/** The same wherever a flow goes in. */
export const wrongFlows = [
  // @ts-expect-error when a bot is made
  { groups } satisfies ParleyInputs["bot"]["create"]["bot"],
  // @ts-expect-error when a bot is changed
  { groups } satisfies ParleyInputs["bot"]["update"]["bot"],
  // @ts-expect-error when one is imported
  { groups } satisfies ParleyInputs["bot"]["import"]["bot"],
  // @ts-expect-error in a preview
  { groups } satisfies NonNullable<ParleyInputs["chat"]["startPreview"]["bot"]>,
  // @ts-expect-error by way of a variable, too
  { groups: [{ ...place, blocks }] } satisfies ParleyInputs["bot"]["update"]["bot"],
]

/** What was read goes in again. */
export const changesOf = ({ groups, edges, variables, events, theme, settings }: ReadBot) =>
  ({ groups, edges, variables, events, theme, settings }) satisfies Changes
export const copyOf = (bot: ReadBot): ParleyInputs["bot"]["import"]["bot"] => bot

/** The members of a question depend on its type. */
export function labelsOf(asked: Asked): (string | undefined)[] {
  if (asked.type === "choice input") return (asked.items ?? []).map(({ content }) => content)
  if (asked.type === "payment input") return [asked.runtimeOptions?.amountLabel]
  // @ts-expect-error an e-mail input has no items
  if (asked.type === "email input") return asked.items
  // @ts-expect-error no question has such a member
  return [asked.prefilledValue, asked.nonsense]
}

/** So do those of a block. */
export function addressOf(block: ReadBlock): unknown {
  if (block.type === "image") return block.content?.url
  // @ts-expect-error a wait has no content
  return block.type === "Wait" ? block.content : undefined
}

/** Messages and actions of a chat likewise. */
export function said({ messages, clientSideActions }: ParleyOutputs["chat"]["start"]) {
  // @ts-expect-error there is no such kind of message
  const none = messages.filter((message) => message.type === "smell")
  const urls = messages.map((message) => (message.type === "image" ? message.content.url : ""))
  const seconds = clientSideActions?.map((action) =>
    // @ts-expect-error only a wait has seconds
    action.type === "wait" ? action.wait.secondsToWaitFor : action.wait,
  )
  return { none, urls, seconds }
}

/** What a chat hears depends on its type, too. */
export function heard(client: ParleyClient, sessionId: string): string[] {
  const texts: string[] = []
  client.chat.listen.subscribe(
    { sessionId },
    {
      onData({ data }) {
        if (data.type === "message") texts.push(data.text)
        if (data.type === "conversation.idle") texts.push(`${data.afterSeconds}`)
        // @ts-expect-error a chat that is paused says nothing
        if (data.type === "conversation.paused") texts.push(data.messages)
        // @ts-expect-error there is no such event
        if (data.type === "conversation.started") texts.push(data.type)
      },
    },
  )
  return texts
}

/** A preview, and what it tells of a turn. */
export async function tried(client: ParleyClient, botId: string): Promise<number[]> {
  const preview = client.preview(botId, { startFrom: { type: "block", blockId: "b" } })
  preview.onTrace((trace, { variables }) => [trace?.answers, variables.map(({ value }) => value)])
  const { trace } = await preview.send("Ann")
  // @ts-expect-error a message is a text or an object
  await preview.send(5)
  // @ts-expect-error it begins at a block, a group or an event
  await preview.restart({ startFrom: { type: "edge", edgeId: "e" } })
  return trace.blocks.map(({ ms }) => ms)
}

/** What `parley types` writes about a bot. */
type Signup = {
  variables: { Name?: string | (string | null)[]; Source?: string | (string | null)[] }
  prefilled: { Name?: string | number; Source?: string | number }
  answers: { Name?: string; Plan?: "Free" | "Pro"; Topics?: string }
  choices: { Plan: "Free" | "Pro"; Topics: ("News" | "Tips")[] }
  webhooks: { [name: string]: never }
}

/** A chat with a bot of which types are known, and one with any bot. */
export async function talked(client: ParleyClient): Promise<(string | undefined)[]> {
  const chat = client.chat<Signup>("signup", { prefilledVariables: { Source: "ad", Name: 1 } })
  // @ts-expect-error the bot has no such variable
  client.chat<Signup>("signup", { prefilledVariables: { Sorce: "ad" } })
  // @ts-expect-error nor does it take such values
  await chat.start({ prefilledVariables: { Source: { ad: 1 } } })
  await chat.choose("Plan", "Pro")
  await chat.choose("Topics", ["News"])
  // @ts-expect-error the question has no such choice
  await chat.choose("Plan", "Gold")
  // @ts-expect-error there is no such question
  await chat.choose("Plans", "Pro")
  // @ts-expect-error several can be chosen
  await chat.choose("Topics", "News")
  const { Name, Plan, ...others } = await chat.answers()
  // @ts-expect-error there is no such answer
  others.Mail
  // @ts-expect-error an answer is one of the choices
  const gold = Plan === "Gold"
  const any = client.chat("any", { prefilledVariables: { Whatever: { deep: [1] } } })
  await any.choose("Whatever", gold ? "This" : ["This", "That"])
  const { sessionId } = (await any.send("Hi")) && any.state
  return [Name, Plan, sessionId, (await any.answers()).Whatever]
}

/** How a client is made. */
export const clients = [
  createParleyClient({ url: "", token: () => "", headers: { "x-app": "b" }, transport: "stream" }),
  createParleyClient({ url: "", token: async () => "", headers: async () => ({ "x-app": "b" }) }),
  // @ts-expect-error there are two transports
  createParleyClient({ url: "", transport: "pigeon" }),
]

/** Wrong calls. */
export async function calls(client: ParleyClient, error: ParleyError): Promise<void> {
  // @ts-expect-error a member is misspelt
  await client.result.list.query({ botID: "b" })
  // @ts-expect-error a member is of another type
  await client.result.list.query({ botId: "b", limit: "50" })
  // @ts-expect-error there is no such span
  await client.result.list.query({ botId: "b", timeFilter: "last8Days" })
  // @ts-expect-error there is no such procedure
  await client.result.purge.mutate({ botId: "b" })
  // @ts-expect-error queries are not mutations
  await client.result.list.mutate({ botId: "b" })
  // @ts-expect-error answers have no such member
  await client.user.getMe.query().then((me) => me.password)
  // @ts-expect-error a required member is missing
  const start: ParleyInputs["chat"]["start"] = { resultId: "r" }
  await client.chat.start.mutate(start)
  // @ts-expect-error issues have no such member
  error.data?.issues?.map((issue) => issue.reason)
}

/** The data of an error depends on its reason. */
export function adviceOn({ data: refused }: ParleyError): (string | number | undefined)[] {
  if (refused?.reason === "STALE_DRAFT") return [refused.data.by?.email, ...refused.data.elements]
  if (refused?.reason === "TOO_MANY_REQUESTS") return [refused.data.limit, refused.data.retryAfter]
  // @ts-expect-error it has the public id
  if (refused?.reason === "PUBLIC_ID_TAKEN") return [refused.data.limit, refused.data.publicId]
  // @ts-expect-error there is nothing to say beside the reason
  if (refused?.reason === "CHAT_ENDED") return [refused.data.limit]
  return []
}

/** For other clients of tRPC. */
export type Router = AppRouter
