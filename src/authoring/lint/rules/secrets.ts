/** Credentials that are missing or would be sent to other hosts, and secrets outside of credentials. */
import { hasHostOf } from "../../../engine/allowedHosts.ts"
import { pick, pickText } from "../../../lib/foreignJson.ts"
import type { BlockEntry } from "../blockEntries.ts"
import { type Violation, warning } from "../finding.ts"
import { type FlowText, minTextLength } from "../flowTexts.ts"
import type { LintContext } from "../lintContext.ts"

export const missingCredential = warning({
  id: "missing-credential",
  description: "Every block that needs a credential names one of its workspace.",
  remedy: "Choose a credential of this workspace in the block.",
  checkBlock: (entry, context) => [...withoutAny(entry), ...withForeign(context, entry)],
})

function withoutAny({ block, type, path }: BlockEntry): Violation[] {
  if (!type.needsCredentials?.(block)) return []
  if (pickText(block, "options", "credentialsId")) return []
  const at = pick(block, "options") === undefined ? path : [...path, "options"]
  return [{ path: at, message: "The block has no credential to use" }]
}

function withForeign({ surroundings }: LintContext, { block, type, path }: BlockEntry) {
  const { credentials } = surroundings
  return ["credentialsId", "proxyCredentialsId"].flatMap((member) => {
    const id = pickText(block, "options", member)
    if (!credentials || !id || credentials.has(id)) return []
    if (id === type.fallbackCredentialsId) return []
    const message = `The workspace has no credential with the id "${id}"`
    return { path: [...path, "options", member], message }
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
  if (!sent) return []
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

export const secretInClear = warning({
  id: "secret-in-clear",
  description: "No text of a flow holds a password, a token or a key.",
  remedy:
    "Move it into a credential, or start chats with it as a prefilled variable. Then replace the " +
    "secret itself, because copies of the flow already contain it.",
  check({ texts }) {
    const found: Violation[] = []
    for (const text of texts) {
      const what = secretOf(text)
      // The message never quotes the secret.
      if (what) found.push({ path: text.path, message: `This text contains ${what} in clear text` })
    }
    return found
  },
})

/**
 * Patterns of secrets, each with a sign that it contains: searching for signs first is several times as fast.
 * Each pattern takes time linear in any text.
 */
const patterns: readonly (readonly [sign: string, pattern: RegExp, what: string])[] = [
  ["-", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/, "a private key"],
  ["-", /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20}/, "a key of a model provider"],
  ["-", /\bxox[abprs]-[A-Za-z0-9-]{10}/, "an access token"],
  ["_", /\b(?:sk|rk)_live_[A-Za-z0-9]{16}/, "a key of a payment provider"],
  ["_", /\bgsk_[A-Za-z0-9]{20}/, "a key of a model provider"],
  ["_", /\bgh[pousr]_[A-Za-z0-9]{36}/, "an access token"],
  ["_", /\bparley_pat_[A-Za-z0-9]{16}/, "an access token"],
  ["AKIA", /\bAKIA[0-9A-Z]{16}\b/, "a cloud access key"],
  ["AIza", /\bAIza[0-9A-Za-z_-]{35}/, "a cloud API key"],
  ["SG.", /\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16}/, "a key of a mail provider"],
  // Looks back from the dot: many beginnings before one end would each be scanned to it.
  [".eyJ", /\.eyJ(?<=\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ)[A-Za-z0-9_-]{10}/, "a signed token"],
  ["B", /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{20}/, "an access token"],
  [":", /\bbot\d{6,12}:[A-Za-z0-9_-]{30}/, "the token of a messenger bot"],
  [":", /\bhttps?:\/\/[^/\s:@{}"]{1,200}:[^/\s:@{}"]{1,200}@/, "a password in an address"],
  [
    ":",
    /["'](?:api[-_]?key|access[-_]?token|client[-_]?secret|password)["']\s{0,9}:\s{0,9}["'][^"'{}]{8,500}["']/i,
    "a key",
  ],
  ["=", /[?&](?:api[-_]?key|access[-_]?token|token|secret)=[^&{}\s"']{8}/i, "a key in an address"],
]

const secretName =
  /^(?:(?:proxy-)?authorization|x-api-key|api[-_]?key|x-auth-token|access[-_]?token|auth[-_]?token|client[-_]?secret|password)$/i

function secretOf({ text, path, owner }: FlowText): string | undefined {
  if (path.at(-1) === "value" && isSecretPair(owner, text)) return "a key"
  if (text.length < 12) return undefined
  return patterns.find(([sign, pattern]) => text.includes(sign) && pattern.test(text))?.[2]
}

/** A header or a query parameter named like a secret, with a literal value. */
function isSecretPair(owner: object | undefined, value: string): boolean {
  if (!owner || !("key" in owner) || typeof owner.key !== "string") return false
  return (
    secretName.test(owner.key.trim()) &&
    !value.includes("{{") &&
    value.trim().length >= minTextLength
  )
}
