/** Fills a service with what pictures of the console show: bots of all starters, and conversations with one. */
import type { Api } from "./drills/api.ts"

/** What the views show. */
export type Examples = {
  workspaceId: string
  /** A bot with results and conversations. */
  botId: string
  /** A bot with a block of every type, whose id is its type. */
  everyBlockId: string
}

type Answer = Record<string, never>

/** Of the chats, every third one does not reach the end. */
export async function makeExamples(api: Api, { chats = 80 } = {}): Promise<Examples> {
  const call = api.call as unknown as (...words: Parameters<Api["call"]>) => Promise<Answer>
  const workspaceId = await api.workspaceId()
  const { templates } = (await call("GET", "/templates")) as unknown as {
    templates: { id: string }[]
  }
  let botId = ""
  for (const { id } of templates) {
    const made = await api.call("POST", "/bots/import", { workspaceId, fromTemplate: id })
    if (id === "lead-form" || botId === "") botId = made.bot.id
  }
  const publicId = "lead-form"
  await call("PATCH", `/bots/${botId}`, { bot: { publicId } })
  await call("POST", `/bots/${botId}/publish`)
  await makeResults(api, publicId, chats)
  await makeConversations(api, botId)
  await makeOthers(api)
  await makeShared(api, workspaceId)
  return { workspaceId, botId, everyBlockId: await makeOfEveryBlock(api, workspaceId) }
}

/** Workspaces about which an operator has decided. */
async function makeOthers(api: Api): Promise<void> {
  const make = async (name: string) => {
    const { workspace } = (await api.call("POST", "/workspaces", { name })) as unknown as {
      workspace: { id: string }
    }
    return workspace.id
  }
  const decide = (workspaceId: string, decision: object) =>
    api.call("PATCH", `/operator/workspaces/${workspaceId}`, decision)
  const verified = { plan: "PRO", isVerified: true, customChatsLimit: 20_000 }
  await decide(await make("Bright Dental"), verified)
  await decide(await make("Loft & Lane Interiors"), { plan: "STARTER", isPastDue: true })
  const workspaceId = await make("Old Harbour Café")
  const [, draw] = [
    await api.call("POST", "/bots", { workspaceId, bot: { name: "Table booking" } }),
    await api.call("POST", "/bots", { workspaceId, bot: { name: "Prize draw" } }),
  ]
  const closed = { riskLevel: 90, isClosed: true, reason: "Asks for passwords of a bank" }
  await api.call("PATCH", `/operator/bots/${draw.bot.id}`, closed)
  await decide(workspaceId, { plan: "FREE", isSuspended: true })
}

/** What the bots of a workspace share. */
async function makeShared(api: Api, workspaceId: string): Promise<void> {
  const of = `/workspaces/${workspaceId}`
  const url = "https://crm.example.com/hook"
  const proxy = {
    type: "http proxy",
    name: "Office",
    data: { url: "http://proxy.example.com:8080" },
  }
  await api.call("POST", "/credentials", { workspaceId, credentials: proxy })
  await api.call("POST", `${of}/variables`, { name: "shopUrl", value: "https://shop.example" })
  await api.call("POST", `${of}/variables`, { name: "shopKey", value: "hidden", isSecret: true })
  await api.call("POST", `${of}/webhookEndpoints`, { url, types: ["answer.submitted"] })
  await api.call("POST", `${of}/invitations`, { email: "ben@example.com", type: "MEMBER" })
  const { themeTemplates } = (await api.call("GET", `${of}/themeTemplates`)) as unknown as {
    themeTemplates: { theme: object }[]
  }
  for (const [at, name] of ["Autumn", "Night shift"].entries())
    await api.call("POST", `${of}/themeTemplates`, { name, theme: themeTemplates[at + 4]?.theme })
  await api.call("POST", `${of}/folders`, { name: "Campaigns" })
  const { bot } = await api.call("POST", "/bots", { workspaceId, bot: { name: "Last summer" } })
  await api.call("DELETE", `/bots/${bot.id}`)
}

/** A bot with a block of every type, whose id is its type. */
async function makeOfEveryBlock(api: Api, workspaceId: string): Promise<string> {
  const { blocks } = (await api.call("GET", "/blocks")) as unknown as {
    blocks: { type: string; kind: string; defaults: object }[]
  }
  const graphCoordinates = { x: 0, y: 0 }
  const own = blocks.filter(({ kind, type }) => kind !== "event" && type !== "start")
  const bot = {
    version: "6.1",
    name: "Every block",
    events: [{ id: "start", type: "start", graphCoordinates, outgoingEdgeId: "e" }],
    edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
    groups: [
      {
        id: "g",
        title: "All",
        graphCoordinates,
        blocks: own.map(({ type, defaults }) => ({ ...defaults, id: type })),
      },
    ],
    variables: [
      { id: "v1", name: "Name" },
      { id: "v2", name: "Mail" },
    ],
  }
  const made = await api.call("POST", "/bots/import", { workspaceId, bot })
  return made.bot.id
}

const people = [
  "Ann",
  "Ben",
  "Cleo",
  "Dan",
  "Eve",
  "Finn",
  "Gus",
  "Hana",
  "Ivo",
  "Jana",
  "Karim",
  "Lea",
]
const needs = ["A new website", "Help with marketing", "Advice", "Something else"]
const sizes = ["Just me", "2 to 10", "11 to 50"]
const chatsAtOnce = 8

/** What visitor number `at` answers, until they leave; every third one does not reach the end. */
function answersOf(at: number): string[] {
  const [person = "", need = "", size = ""] = [people, needs, sizes].map(
    (words) => words[(at * 7 + Math.floor(at / 5)) % words.length],
  )
  const call = size === "11 to 50" ? ["I prefer e-mail"] : []
  const answers = [person, need, size, ...call, `${person.toLowerCase()}${at}@example.com`]
  return at % 3 === 2 ? answers.slice(0, 1 + (at % 4)) : answers
}

async function makeResults(api: Api, publicId: string, count: number): Promise<void> {
  const chat = async (at: number) => {
    const { sessionId } = await api.start(publicId)
    for (const text of answersOf(at)) {
      await api.call("POST", `/sessions/${sessionId}/continueChat`, { message: text })
    }
  }
  for (let at = 0; at < count; at += chatsAtOnce) {
    await Promise.all(Array.from({ length: chatsAtOnce }, (_, more) => chat(at + more)))
  }
}

/** Conversations under keys, as channels have them: at the first question, ended by hand, and taken over. */
async function makeConversations(api: Api, botId: string): Promise<void> {
  const of = (key: string) => `/bots/${botId}/conversations/${encodeURIComponent(key)}`
  const say = async (key: string, ...texts: string[]) => {
    for (const message of texts) await api.call("POST", `${of(key)}/messages`, { message })
  }
  await say("whatsapp:491701234567", "Mia", "Advice")
  await say("telegram:77120", "Noah", "A new website", "2 to 10")
  await say("support:1042", "Olga")
  await api.call("PATCH", of("support:1042"), { state: "ended" })
  await say("whatsapp:33612345678", "Paul", "Help with marketing")
  await api.call("POST", `${of("whatsapp:33612345678")}/replies`, {
    ...{ text: "Hi Paul, Eve here. Which channels do you use today?", author: "Eve", pause: true },
  })
  await say("whatsapp:33612345678", "Mostly our newsletter, and a little Instagram.")
}
