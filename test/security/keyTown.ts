/** A workspace with a credential, every kind of caller, and servers that may or may not get the key. */
import { createParleyClient, isParleyError } from "../../src/client.ts"
import type { Flow } from "../../src/engine/bot.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

/** The key, which only two of the servers may ever get. */
export const apiKey = "sk-the-key-of-the-workspace-0123456789"

const peers = {
  own: await startPeer(),
  allowed: await startPeer(),
  other: await startPeer(),
  inside: await startPeer(),
}

/** A server that listens. */
export type PeerName = keyof typeof peers
const { own, allowed, other, inside } = peers
const hostOf = ({ url }: { url: string }) => new URL(url).host

/** By what each is to the key: address that a flow names, and the credential that it uses. */
export const hosts = {
  "the provider's own": { address: other.url, credential: "owned" },
  "allowed by the owner": { address: allowed.url, credential: "named" },
  "any other": { address: other.url, credential: "named" },
  "private, though allowed by the owner": { address: inside.url, credential: "named" },
  "allowed, redirecting to another": { address: `${allowed.url}/leave`, credential: "named" },
} as const

/** What a host is to the key. */
export type HostName = keyof typeof hosts

/** Host of the server that is allowed by nobody. */
export const otherHost = hostOf(other)

const database = await testDatabase()
export const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_DEFAULT_PLAN: "UNLIMITED",
  PARLEY_RATE_LIMITS: "off",
  // All but the one that is inside; `other` stands for any public host.
  PARLEY_ALLOW_HOSTS: [own, allowed, other].map(hostOf).join(","),
  PARLEY_PREVIEW_HTTP: "allow",
})

const { workspaceId } = server

async function newCredential(name: string, credentials: object): Promise<string> {
  const sent = { workspaceId, credentials: { type: "openai", name, ...credentials } }
  const made = await server.send("POST", "/api/v1/credentials", { body: sent })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return String(made.body.credentialsId)
}

const credentialIds = {
  owned: await newCredential("Key with an address", { data: { apiKey, baseUrl: own.url } }),
  named: await newCredential("Key without address", {
    data: { apiKey },
    allowedHosts: [hostOf(allowed), hostOf(inside)],
  }),
}

/** Sends the key in both ways that there are: by a library of models, and by a request. */
export function flowTo(credential: keyof typeof credentialIds, baseUrl: string): Flow {
  const common = { credentialsId: credentialIds[credential], baseUrl }
  return bot(
    { variables: { H: null, Url: null, Reply: null } },
    group(
      "A",
      block("openai", {
        ...common,
        action: "Create chat completion",
        model: "gpt-4o",
        messages: [{ role: "user", content: "Hi" }],
      }),
      block("openai", {
        ...common,
        action: "Create speech",
        input: "Hi",
        voice: "alloy",
        saveUrlInVariableId: idOf("Url"),
      }),
      ask.text(),
    ),
  )
}

/** Bots whose address is a variable that anybody may prefill, by the credential that they use. */
export const bots = {
  owned: await publishBot(server, flowTo("owned", "{{H}}")),
  named: await publishBot(server, flowTo("named", "{{H}}")),
}

/** Makes an account and its places; its token. */
async function arrive(
  email: string,
  { role, share }: { role?: string; share?: string } = {},
): Promise<string> {
  const { token } = await createAccount(database, { email, plan: "UNLIMITED" })
  if (role) {
    const text =
      "insert into workspace_members (workspace_id, user_id, role) select $2, id, $3 from users where email = $1"
    await database.pool.query(text, [email, workspaceId, role])
  }
  for (const { botId } of share ? Object.values(bots) : []) {
    const text =
      "insert into bot_collaborators (bot_id, user_id, type) select $2, id, $3 from users where email = $1"
    await database.pool.query(text, [email, botId, share])
  }
  return token
}

/** The token of each kind of caller; null: none. */
export const tokens = {
  owner: server.token,
  member: await arrive("mia@example.com", { role: "MEMBER" }),
  writer: await arrive("will@example.com", { role: "GUEST", share: "WRITE" }),
  reader: await arrive("rita@example.com", { role: "GUEST", share: "READ" }),
  guest: await arrive("gus@example.com", { role: "GUEST" }),
  foreign: await arrive("eve@example.com"),
  nobody: null,
} as const

/** A kind of caller. */
export type Who = keyof typeof tokens

/** How procedures are called. */
export type Way = "REST" | "tRPC"

type Start = { botId: string; bot?: Flow } | { publicId: string }

/** Starts a chat or a preview, the address prefilled; status and whole answer as text. */
export async function startAs(
  who: Who,
  way: Way,
  input: Start & { prefilledVariables?: Record<string, string> },
): Promise<{ status: number; text: string; resultId?: string | undefined }> {
  const token = tokens[who]
  if (way === "REST") {
    const { path, body } =
      "publicId" in input
        ? { path: `/bots/${input.publicId}/startChat`, body: { ...input, publicId: undefined } }
        : { path: `/bots/${input.botId}/preview/startChat`, body: { ...input, botId: undefined } }
    const reply = await server.send("POST", `/api/v1${path}`, { token, body })
    const resultId = reply.body.resultId as string | undefined
    return { status: reply.status, text: JSON.stringify(reply.body), resultId }
  }
  const { chat } = createParleyClient({ url: server.address, ...(token ? { token } : {}) })
  try {
    const answer =
      "publicId" in input ? await chat.start.mutate(input) : await chat.startPreview.mutate(input)
    const resultId = "resultId" in answer ? String(answer.resultId) : undefined
    return { status: 200, text: JSON.stringify(answer), resultId }
  } catch (error) {
    if (!isParleyError(error) || !error.data) throw error
    return { status: error.data.httpStatus, text: error.message }
  }
}

/** Forgets what the servers got; the one that is allowed sends on whoever asks it to. */
export function listen(): void {
  for (const peer of Object.values(peers)) peer.answers(json({ choices: [] }))
  allowed.answers((response, request) => {
    if (!request.path.startsWith("/leave")) response.end("{}")
    else response.writeHead(307, { location: `${other.url}${request.path}` }).end()
  })
}

/** The servers that got the key since, and how often. */
export function keysAt(): Partial<Record<PeerName, number>> {
  const counts = Object.entries(peers).map(([name, { received }]) => {
    const told = received.filter((request) => JSON.stringify(request).includes(apiKey))
    return [name, told.length] as const
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** What the servers got, with or without the key. */
export const requestsAt = (name: PeerName) => peers[name].received.length
