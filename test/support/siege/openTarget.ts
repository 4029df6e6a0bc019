/** Sets up in a running service what attacks need: bots, a secret, and somebody who may only read. */
import { openDatabase } from "../../../src/db/connection/openDatabase.ts"
import { createAccount } from "../../../src/people/createAccount.ts"
import { ask } from "./ask.ts"
import { askingModel } from "./attacks/stealing.ts"
import { block, flowOf, idOf, say } from "./flow.ts"
import { type Published, Refusal, type SecretBot, type Target } from "./target.ts"
import type { Upstream } from "./upstream.ts"

/** What a target is made of. */
export type TargetParts = {
  address: string
  token: string
  /** Where a collaborator is put in, because no procedure does. */
  databaseUrl: string
  upstream: Upstream
}

const secret = "sk-siege-0123456789-secret"
const publishMs = 30_000

/** What honest users talk to: it asks, and says what it heard. */
const honestFlow = () =>
  flowOf(
    [
      say("Say something"),
      { ...block("text input", { variableId: idOf("Said") }), id: "asks" },
      { ...say("You said {{Said}}"), id: "last", outgoingEdgeId: "back" },
    ],
    // Attackers give this one a value.
    { names: ["Said", "Name"] },
  )

/** Opens a target; honest users have their bot afterwards. */
export async function openTarget(parts: TargetParts): Promise<Target> {
  const { address, token, upstream } = parts
  const known = new Map<string, Promise<Published>>()
  const { workspaces } = await call(parts, "GET", "/workspaces")
  const workspaceId = workspaces?.[0]?.id ?? ""
  const publish = (name: string, flow: () => object) => {
    const found = known.get(name) ?? publishFlow(parts, workspaceId, flow())
    known.set(name, found)
    return found
  }
  let secretBot: Promise<SecretBot> | undefined
  const { publicId } = await publishAsHonest(parts)
  return {
    address,
    token,
    honestPublicId: publicId,
    upstreamUrl: upstream.url,
    heard: upstream.heard,
    publish,
    secretBot: () => {
      secretBot ??= makeSecretBot(parts, { workspaceId, publish })
      return secretBot
    },
  }
}

type Answer = {
  workspaces?: { id: string }[]
  workspace?: { id: string }
  bot?: { id: string }
  credentialsId?: string
}

async function call(
  { address, token }: TargetParts,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const sent = { method, path: `/api/v1${path}`, token, timeoutMs: publishMs }
  const got = await ask(address, { ...sent, ...(body && { body }) })
  if (got.status !== 200) throw new Refusal(got)
  return JSON.parse(got.text) as Answer
}

/** Attackers and honest users are different owners: what is shared out counts by user, not by workspace. */
async function publishAsHonest(parts: TargetParts): Promise<Published> {
  const own = { ...parts, token: (await makeAccount(parts, "honest@example.com")).token }
  const { workspace } = await call(own, "POST", "/workspaces", { name: "Honest" })
  return publishFlow(own, workspace?.id ?? "", honestFlow())
}

async function publishFlow(
  parts: TargetParts,
  workspaceId: string,
  bot: object,
): Promise<Published> {
  const imported = await call(parts, "POST", "/bots/import", { workspaceId, bot })
  const botId = imported.bot?.id ?? ""
  const publicId = `siege-${botId}`
  await call(parts, "PATCH", `/bots/${botId}`, { bot: { publicId } })
  await call(parts, "POST", `/bots/${botId}/publish`)
  return { botId, publicId }
}

async function makeSecretBot(
  parts: TargetParts,
  { workspaceId, publish }: { workspaceId: string; publish: Target["publish"] },
): Promise<SecretBot> {
  const credentials = { type: "openai", name: "Model", data: { apiKey: secret } }
  const made = await call(parts, "POST", "/credentials", { workspaceId, credentials })
  const credentialsId = made.credentialsId ?? ""
  const bot = await publish("secret", () => askingModel(credentialsId, "{{H}}"))
  const readerToken = await makeReader(parts, bot.botId)
  return { ...bot, credentialsId, secret, readerToken }
}

/** An account of its own that may read one bot. */
async function makeReader(parts: TargetParts, botId: string): Promise<string> {
  const { token, userId } = await makeAccount(parts, "reader@example.com")
  const database = await openDatabase({ url: parts.databaseUrl, poolSize: 1 })
  try {
    const collaborator = { botId, userId, type: "READ" } as const
    await database.kysely.insertInto("botCollaborators").values(collaborator).execute()
    return token
  } finally {
    await database.close()
  }
}

/** Makes an account, which no procedure does. */
async function makeAccount({ databaseUrl }: Pick<TargetParts, "databaseUrl">, email: string) {
  const database = await openDatabase({ url: databaseUrl, poolSize: 1 })
  try {
    const { token } = await createAccount(database, { email, plan: "UNLIMITED" })
    const { id: userId } = await database.kysely
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow()
    return { token, userId }
  } finally {
    await database.close()
  }
}
