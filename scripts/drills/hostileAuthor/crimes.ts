/** What a hostile author and an anonymous visitor do to a service, each on one connection. */
import { type Agent, get } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { type Reply, send } from "../post.ts"
import {
  changedMentions,
  choosingBot,
  dressedBot,
  heavyBot,
  mentioningBot,
  namedBot,
} from "./bots.ts"

/** Who sends, and where to. */
export type Culprit = { address: string; agent: Agent; token?: string }

/** One thing that is done; what it gets is noted under its name. */
export type Crime = { name: string; commit(): Promise<Pick<Reply, "status" | "milliseconds">> }

/** The bots that both use. */
export type Scene = {
  workspaceId: string
  mentioning: string
  named: Published
  choosing: Published
  dressed: Published
  heavy: string
}

type Published = { botId: string; publicId: string }

/** Imports and publishes what the crimes need; its 20 endpoints answer nobody. */
export async function setScene(author: Culprit): Promise<Scene> {
  const call = (path: string, body: object) => mustSend(author, path, body)
  const { workspace } = await call("/workspaces", { name: "Hostile" })
  const workspaceId = (workspace as { id: string }).id
  const make = async (bot: object): Promise<string> =>
    ((await call("/bots/import", { workspaceId, bot })).bot as { id: string }).id
  const publish = async (bot: object): Promise<Published> => {
    const botId = await make(bot)
    const { publicId } = await call(`/bots/${botId}/publish`, {})
    return { botId, publicId: publicId as string }
  }
  for (let n = 0; n < 20; n++) {
    const types = ["answer.submitted", "result.completed"]
    const url = `https://receiver-${n}.example/hook`
    await send(`${author.address}/api/v1/workspaces/${workspaceId}/webhookEndpoints`, {
      ...author,
      body: { url, types },
    })
  }
  const mentioning = (await publish(mentioningBot())).botId
  const changed = { method: "PATCH", ...author, body: { bot: { groups: changedMentions() } } }
  await send(`${author.address}/api/v1/bots/${mentioning}`, changed)
  return {
    workspaceId,
    mentioning,
    named: await publish(namedBot()),
    choosing: await publish(choosingBot()),
    dressed: await publish(dressedBot()),
    heavy: await make(heavyBot()),
  }
}

/** Those of the author. */
export function crimesOfAuthor(author: Culprit, scene: Scene): Crime[] {
  const { workspaceId, mentioning, named, choosing, heavy } = scene
  const asks = (name: string, path: string, body?: object): Crime => ({
    name,
    commit: () => send(`${author.address}/api/v1${path}`, { ...author, ...(body && { body }) }),
  })
  const own = `/bots/${named.botId}`
  return [
    asks("import with names of 1 MB", "/bots/import", {
      workspaceId,
      bot: mentioningBot(),
    }),
    asks("diff", `/bots/${mentioning}/diff`),
    asks("diff as Markdown", `/bots/${mentioning}/diff?format=markdown`),
    asks("results", `${own}/results?limit=100`),
    asks("conversations", `${own}/conversations?limit=200`),
    ofLatest(author, own, "transcript"),
    ofLatest(author, own, "trace"),
    asks("analytics", `/bots/${choosing.botId}/analytics`),
    asks("lint", "/bots/lint", { botId: heavy }),
    asks("lint of a body", "/bots/lint", { bot: heavyBot() }),
    asks("import of 4 MB", "/bots/import", { workspaceId, bot: heavyBot() }),
    asks("publish of 4 MB", `/bots/${heavy}/publish`, {}),
    {
      name: "export read slowly",
      commit: () => readSlowly(author, `/api/v1${own}/results/export`),
    },
  ]
}

/** Those of the visitor. */
export function crimesOfVisitor(visitor: Culprit, scene: Scene): Crime[] {
  const chats = new Map<string, string>()
  const says = (name: string, { publicId }: Published, message: string): Crime => ({
    name,
    commit: async () => {
      const sessionId = chats.get(publicId)
      if (sessionId !== undefined) {
        const path = `/api/v1/sessions/${sessionId}/continueChat`
        return await send(visitor.address + path, { ...visitor, body: { message } })
      }
      const path = `/api/v1/bots/${publicId}/startChat`
      const started = await send(visitor.address + path, { ...visitor, body: {} })
      const { sessionId: begun } = JSON.parse(started.text) as { sessionId?: string }
      if (begun !== undefined) chats.set(publicId, begun)
      return started
    },
  })
  const page = `/chat/${scene.dressed.publicId}`
  return [
    says("one letter", scene.named, "a"),
    says("another letter", scene.named, "b"),
    says("a choice", scene.choosing, "Choice 4999"),
    { name: "page", commit: () => send(visitor.address + page, visitor) },
    { name: "page read slowly", commit: () => readSlowly(visitor, page) },
  ]
}

/** A part of what was recorded last. */
function ofLatest(author: Culprit, own: string, part: "trace" | "transcript"): Crime {
  return {
    name: part,
    commit: async () => {
      const url = `${author.address}/api/v1${own}/results`
      const list = await send(`${url}?limit=1`, author)
      const { results = [] } = JSON.parse(list.text) as { results?: { id: string }[] }
      return results[0] ? await send(`${url}/${results[0].id}/${part}`, author) : list
    },
  }
}

const slowlyForMs = 2_000

/** Reads a piece, then nothing for a while, and goes. */
async function readSlowly(
  { address, agent, token }: Culprit,
  path: string,
): Promise<Pick<Reply, "status" | "milliseconds">> {
  const since = performance.now()
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const status = await new Promise<number>((resolve, reject) => {
    const outgoing = get(address + path, { agent, headers }, (response) => {
      response.pause()
      void sleep(slowlyForMs).then(() => {
        response.destroy()
        resolve(response.statusCode ?? 0)
      })
    })
    outgoing.once("error", reject)
  })
  return { status, milliseconds: performance.now() - since - slowlyForMs }
}

async function mustSend(
  author: Culprit,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const { status, text } = await send(`${author.address}/api/v1${path}`, { ...author, body })
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Record<string, unknown>
}
