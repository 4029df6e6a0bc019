/**
 * Every type of credential: the schema of its data, the members that the workspace may read, and the
 * hosts of its provider.
 */
import { isDeepStrictEqual } from "node:util"
import { z } from "zod"
import { openAiHosts } from "../../engine/allowedHosts.ts"
import { mapOf } from "../../engine/schema/lists.ts"
import { headerName, headerValue, httpAuthSchema } from "./httpAuth.ts"

/** Decrypted data of a credential. */
export type CredentialData = Record<string, unknown>

/** Names of members; those inside an object come with the name of that object. */
export type MemberNames = readonly (string | readonly [group: string, members: readonly string[]])[]

type CredentialType = {
  schema: z.ZodType<CredentialData>
  /** Members that are not secret; all others are secret. */
  open: MemberNames
  /** Hosts of the provider. Empty: authors cannot influence where the secrets are sent. */
  hosts: readonly string[]
  /** The member that holds an address to use instead of the provider's. */
  address?: string
  /** Members that name the server if there is no such address. */
  server?: readonly string[]
}

const secret = (description: string) => z.string().trim().min(1).max(8192).describe(description)
const text = (description: string) => z.string().trim().max(2048).describe(description)

const webAddress = (description: string) =>
  z
    .url({ protocol: /^https?$/, error: "must be an address with http:// or https://" })
    .describe(description)

// Headers allow nothing else; a key with an ellipsis was copied from a table.
const apiKey = secret("Key of the API").regex(/^[\x21-\x7e]+$/, "must be letters, digits and signs")
const keyOnly = (...hosts: string[]): CredentialType => ({
  schema: z.object({ apiKey }),
  open: [],
  hosts,
})
const keyAndBase = (...hosts: string[]): CredentialType => ({
  schema: z.object({ apiKey, baseUrl: webAddress("Root of the API").optional() }),
  open: ["baseUrl"],
  hosts,
  address: "baseUrl",
})

const smtp: CredentialType = {
  schema: z.object({
    host: text("Name of the mail server").min(1),
    port: z.int().min(1).max(65_535).describe("Port of the mail server"),
    username: text("Name to sign in with").optional(),
    password: z.string().max(8192).optional().describe("Password to sign in with"),
    isTlsEnabled: z
      .boolean()
      .optional()
      .describe(
        "Whether the connection begins encrypted, default at port 465 only; else it is upgraded where possible",
      ),
    from: z.object({
      email: z.email().describe("Address of the sender"),
      name: text("Name of the sender").optional(),
    }),
  }),
  open: ["host", "port", "username", "isTlsEnabled", "from"],
  hosts: [],
  server: ["host", "port"],
}

const serviceAccountSchema = z
  .looseObject({
    client_email: z.email().describe("Address of the service account"),
    private_key: secret("Private key in PEM form"),
  })
  .meta({ title: "Service account" })

const googleSheets: CredentialType = {
  schema: z.union([
    serviceAccountSchema,
    z
      .looseObject({
        refresh_token: secret("Token that gives new access tokens"),
        access_token: text("Access token").optional(),
        expiry_date: z.number().optional().describe("When the access token expires, ms since 1970"),
        client_id: text(
          "Client that the token was given to; absent: that of this service",
        ).optional(),
        client_secret: text("Secret of that client").optional(),
      })
      .meta({ title: "Refresh token" }),
  ]),
  open: ["client_email"],
  hosts: ["sheets.googleapis.com", "oauth2.googleapis.com"],
}

const gmail: CredentialType = {
  schema: z.object({
    refreshToken: secret("Token that gives new access tokens"),
    accessToken: text("Access token").optional(),
    expiryDate: z.number().optional().describe("When the access token expires, ms since 1970"),
    client: z
      .object({ id: text("Client id").min(1), secret: secret("Client secret") })
      .optional()
      .describe("Client that the token was given to; absent: that of this service"),
  }),
  open: [],
  hosts: ["gmail.googleapis.com", "oauth2.googleapis.com"],
}

const stripe: CredentialType = {
  schema: z.object({
    live: z.object({ secretKey: secret("Secret key"), publicKey: secret("Publishable key") }),
    test: z
      .object({
        secretKey: text("Secret key").optional(),
        publicKey: text("Publishable key").optional(),
      })
      .optional()
      .describe("Keys for previews; absent: the live ones"),
  }),
  open: [
    ["live", ["publicKey"]],
    ["test", ["publicKey"]],
  ],
  hosts: ["api.stripe.com"],
}

/** Addresses of MCP servers often hold a key, so that they are secret, too. */
const mcp: CredentialType = {
  schema: z.object({
    url: webAddress("Address of the MCP server (Streamable HTTP)").max(2048),
    token: headerValue("Token of the header `Authorization`").optional(),
    headers: mapOf(headerName, headerValue("Value of the header"), 20)
      .optional()
      .describe("Further headers, by name"),
  }),
  open: [],
  hosts: [],
  address: "url",
}

const types = new Map<string, CredentialType>(
  Object.entries({
    smtp,
    "google sheets": googleSheets,
    stripe,
    "http proxy": {
      schema: z.object({ url: webAddress("Address of the proxy") }),
      open: [],
      hosts: [],
      address: "url",
    },
    http: {
      schema: z.object({ auth: httpAuthSchema.describe("How requests are signed") }),
      open: [["auth", ["type", "username", "name", "tokenUrl", "clientId", "scope"]]],
      hosts: [],
    },
    whatsApp: { schema: z.looseObject({}), open: [], hosts: [] },
    openai: keyAndBase(...openAiHosts),
    anthropic: keyOnly("api.anthropic.com"),
    mistral: keyOnly("api.mistral.ai"),
    groq: keyAndBase("api.groq.com"),
    deepseek: keyAndBase("api.deepseek.com"),
    "open-router": keyOnly("openrouter.ai"),
    "together-ai": keyOnly("api.together.xyz"),
    perplexity: keyAndBase("api.perplexity.ai"),
    "dify-ai": {
      schema: z.object({
        apiKey: text("Key of the app").optional(),
        knowledgeApiKey: text("Key of the knowledge bases").optional(),
        apiEndpoint: webAddress("Where Dify is").optional(),
      }),
      open: ["apiEndpoint"],
      hosts: ["api.dify.ai"],
      address: "apiEndpoint",
    },
    "chat-node": keyOnly("api.public.chatnode.ai"),
    elevenlabs: keyOnly("api.elevenlabs.io"),
    nocodb: keyAndBase("app.nocodb.com"),
    segment: keyOnly("api.segment.io"),
    posthog: {
      schema: z.object({ apiKey, host: webAddress("Where PostHog is").optional() }),
      open: ["host"],
      hosts: ["us.i.posthog.com"],
      address: "host",
    },
    zendesk: {
      schema: z.object({
        conversationsKeyId: secret("Id of the key"),
        conversationsSecretKey: secret("Key that signs users"),
      }),
      open: [],
      hosts: [],
    },
    gmail,
    blink: keyOnly("api.joinblink.com"),
    mcp,
  } satisfies Record<string, CredentialType>),
)

/** The schemas of all types, and their open members. */
export const credentialSchemas: ReadonlyMap<string, Pick<CredentialType, "schema" | "open">> = types

export const credentialTypes: readonly string[] = [...types.keys()]

/** Validates the data of a type, and drops unknown members. Returns undefined for an unknown type. */
export function parseCredentialData(
  type: string,
  data: unknown,
): z.ZodSafeParseResult<CredentialData> | undefined {
  return types.get(type)?.schema.safeParse(data)
}

/** Where the provider of a type is: the address in the data, or else its own hosts. */
export function providerPlaces(
  type: string,
  data: CredentialData,
): { hosts: readonly string[]; address?: string } {
  const { hosts = [], address: member } = types.get(type) ?? {}
  const address = member === undefined ? undefined : data[member]
  return typeof address === "string" && address !== "" ? { hosts: [], address } : { hosts }
}

/** Whether a change of the data would send the secrets to another server. */
export function leadsElsewhere(
  type: string,
  { from, to }: { from: CredentialData; to: CredentialData },
): boolean {
  const { address, server = [] } = types.get(type) ?? {}
  const names = address === undefined ? server : [address, ...server]
  return names.some((name) => !isDeepStrictEqual(from[name], to[name]))
}

/** Names of the members that are secret or contain secrets. */
export function secretMembers(type: string, data: CredentialData): string[] {
  const open = publicMembers(type, data)
  return Object.keys(data).filter((name) => !isDeepStrictEqual(open[name], data[name]))
}

export function publicMembers(type: string, data: CredentialData): CredentialData {
  return pickMembers(data, types.get(type)?.open ?? [])
}

function pickMembers(data: CredentialData, members: MemberNames): CredentialData {
  return Object.fromEntries(
    members.flatMap((member): [string, unknown][] => {
      const [name, inner] = typeof member === "string" ? [member, undefined] : member
      const value = data[name]
      if (value === undefined) return []
      if (inner === undefined) return [[name, value]]
      return isObject(value) ? [[name, pickMembers(value, inner)]] : []
    }),
  )
}

/** All secret strings in the data, longest first. */
export function secretTexts(type: string, data: CredentialData): string[] {
  const open = new Set(textsIn(publicMembers(type, data)))
  const secrets = textsIn(data).filter((each) => each.length >= minSecretLength && !open.has(each))
  return [...new Set(secrets)].sort((a, b) => b.length - a.length)
}

// Shorter strings occur in ordinary words, which would be redacted too.
const minSecretLength = 4

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function isObject(value: unknown): value is CredentialData {
  return typeof value === "object" && value !== null
}
