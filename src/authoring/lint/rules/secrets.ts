/** Credentials that are missing or would be sent to other hosts, and secrets outside of credentials. */
import { hasHostOf } from "../../../engine/allowedHosts.ts"
import { cut } from "../../../lib/cut.ts"
import { pick, pickList, pickText } from "../../../lib/foreignJson.ts"
import { mask } from "../../secrets/findSecrets.ts"
import { isSecretName } from "../../secrets/secretNames.ts"
import type { BlockEntry } from "../blockEntries.ts"
import { type Violation, warning } from "../finding.ts"
import type { LintContext } from "../lintContext.ts"
import { secretsIn } from "../maskSecrets.ts"

export const missingCredential = warning({
  id: "missing-credential",
  description: "Every block that needs a credential names one of its workspace.",
  remedy: "Choose a credential of this workspace in the block.",
  checkBlock: (entry, context) => [...withoutAny(entry), ...withForeign(context, entry)],
})

function withoutAny({ block, type, path }: BlockEntry): Violation[] {
  const servers = pickList(block, "options", "mcpServers").flatMap((server, index) => {
    const at = [...path, "options", "mcpServers", index]
    return pickText(server, "credentialsId")
      ? []
      : { path: at, message: "The MCP server has no credential" }
  })
  if (!type.needsCredentials?.(block)) return servers
  if (pickText(block, "options", "credentialsId")) return servers
  const at = pick(block, "options") === undefined ? path : [...path, "options"]
  return [{ path: at, message: "The block has no credential to use" }, ...servers]
}

function withForeign({ surroundings }: LintContext, { block, type, path }: BlockEntry) {
  const { credentials } = surroundings
  const servers = pickList(block, "options", "mcpServers").map((_, index) => index)
  const places = [
    ["credentialsId"],
    ["proxyCredentialsId"],
    ...servers.map((index) => ["mcpServers", index, "credentialsId"]),
  ]
  return places.flatMap((place) => {
    const id = pickText(block, "options", ...place)
    if (!credentials || !id || credentials.has(id)) return []
    if (id === type.fallbackCredentialsId) return []
    const message = `The workspace has no credential with the id "${id}"`
    return { path: [...path, "options", ...place], message }
  })
}

export const unlistedHost = warning({
  id: "unlisted-host",
  description:
    "The address of an API is that of the provider, or its host is among the allowed hosts of the " +
    "credential; the key is sent nowhere else.",
  remedy:
    "Add the host to the credential's allowed hosts, unless it is there or the credential has an " +
    "address of its own.",
  checkBlock: unlisted,
})

function unlisted({ block, type, path }: BlockEntry, { surroundings }: LintContext): Violation[] {
  const sent = type.sendsKeyTo?.(block)
  if (!sent || (sent.hasProvider === false && !surroundings.credentials)) return []
  const allowed = surroundings.credentials?.get(sent.credentialsId) ?? []
  const found = (message: string) => [{ path: [...path, ...sent.at], message }]
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(sent.address.trim())?.[0] ?? ""
  if (origin.includes("{{") || !URL.canParse(origin)) {
    // Only a chat determines which of the allowed hosts it is.
    if (allowed.length > 0) return []
    return found("The host of the address is a variable, and no key is sent to an unknown host")
  }
  const url = new URL(origin)
  if (hasHostOf(allowed, url)) return []
  return found(`The key is not sent to ${url.host} unless the credential allows this host`)
}

export const overriddenSecret = warning({
  id: "overridden-secret",
  description: "A request with a credential has no header or parameter of its own for a key.",
  remedy: "Remove it: of two with one name, that of the credential is sent.",
  checkBlock({ block, type, path }) {
    if (!type.signsRequest || !pickText(block, "options", "credentialsId")) return []
    return ["headers", "queryParams"].flatMap((list) =>
      pickList(block, "options", "webhook", list).flatMap((pair, index) => {
        const name = pickText(pair, "key") ?? ""
        if (!isSecretName(name)) return []
        const at = ["options", "webhook", list, index, "value"]
        const message = `The request has a credential besides its own "${cut(name)}"`
        return [{ path: [...path, ...at], message }]
      }),
    )
  },
})

export const secretInClear = warning({
  id: "secret-in-clear",
  description: "No text of a flow holds a password, a token or a key.",
  remedy:
    "Move it into a credential, or start chats with it as a prefilled variable. Then replace the " +
    "secret itself, because copies of the flow already contain it.",
  check({ texts }) {
    const found: Violation[] = []
    for (const text of texts) {
      const [first] = secretsIn(text)
      if (!first) continue
      // The message never quotes the secret.
      found.push({ path: text.path, message: `This text contains ${first.what} in clear text` })
    }
    return found
  },
})

export const missingSecret = warning({
  id: "missing-secret",
  description: `No text of a flow has \`${mask}\` where the original of a copy has a secret.`,
  remedy: "Move the secret into a credential of this workspace, and choose it in the block.",
  check: ({ texts }) =>
    texts
      .filter(({ text }) => missing.test(text))
      .map(({ path }) => ({ path, message: `The secret is missing that \`${mask}\` stands for` })),
})

/** Longer rows of dots are placeholders of fields. */
const missing = new RegExp(`(?<!•)${mask}(?!•)`)
