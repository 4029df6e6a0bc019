/** Finds secrets in texts of flows, in time linear in any text. */
import { isCookieName, isPlainKey, isSecretName, isSecretValue } from "./secretNames.ts"

/** A secret in a text: where, and what it is, as a noun. */
export type FoundSecret = { from: number; to: number; what: string }

/** The secrets in a text, in order and disjoint. `name`: what a header or variable with this value is called. */
export function findSecrets(text: string, name?: string): FoundSecret[] {
  if (name !== undefined && isSecretPair(name, text)) {
    return [{ from: 0, to: text.length, what: "a key" }]
  }
  if (text.length < minTextLength) return []
  const known = matches(text)
  const found = naming.test(text) ? known.concat(assignments(text), parameters(text)) : known
  return found.length > 1 ? disjoint(found) : found
}

/** The text with `•••` for each secret. */
export function maskText(text: string, secrets: readonly FoundSecret[]): string {
  let masked = ""
  let at = 0
  for (const { from, to } of secrets) {
    masked += text.slice(at, from) + mask
    at = to
  }
  return masked + text.slice(at)
}

/** What people see instead of a secret. */
export const mask = "•••"

const minTextLength = 12

/** A part of every name of a secret, found faster than names. */
const naming = /key|token|secret|pass|pwd|auth|cookie/i

function isSecretPair(name: string, value: string): boolean {
  const isNamed = isSecretName(name) || isCookieName(name) || isPlainKey(name)
  return isNamed && isSecretValue(name, value)
}

/**
 * Patterns of secrets, each with a sign that it contains: searching for signs first is several times as fast.
 * Each pattern takes time linear in any text.
 */
const patterns: readonly (readonly [sign: string, pattern: RegExp, what: string])[] = [
  ["-", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g, "a private key"],
  ["-", /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20}/g, "a key of a model provider"],
  ["-", /\bxox[abprs]-[A-Za-z0-9-]{10}/g, "an access token"],
  ["_", /\b(?:sk|rk)_live_[A-Za-z0-9]{16}/g, "a key of a payment provider"],
  ["_", /\bgsk_[A-Za-z0-9]{20}/g, "a key of a model provider"],
  ["_", /\bgh[pousr]_[A-Za-z0-9]{36}/g, "an access token"],
  ["_", /\bparley_pat_[A-Za-z0-9]{16}/g, "an access token"],
  ["AKIA", /\bAKIA[0-9A-Z]{16}\b/g, "a cloud access key"],
  ["AIza", /\bAIza[0-9A-Za-z_-]{35}/g, "a cloud API key"],
  ["SG.", /\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16}/g, "a key of a mail provider"],
  // Looks back from the dot: many beginnings before one end would each be scanned to it.
  [".eyJ", /\.eyJ(?<=\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ)[A-Za-z0-9_-]{10}/g, "a signed token"],
  ["B", /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{20}/g, "an access token"],
  [":", /\bbot\d{6,12}:[A-Za-z0-9_-]{30}/g, "the token of a messenger bot"],
  [
    ":",
    /(?<=\bhttps?:\/\/)[^/\s:@{}"]{1,200}:[^/\s:@{}"]{1,200}(?=@)/g,
    "a password in an address",
  ],
]

const isBefore = /[\w.-]/
const isAfter = /[\w.~+/=-]/

function matches(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const [sign, pattern, what] of patterns) {
    if (!text.includes(sign)) continue
    let end = 0
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      let from = match.index
      // The rest of the token is as secret as what the pattern needs to recognise it.
      while (from > end && isBefore.test(text[from - 1] ?? "")) from--
      end = endOf(text, match.index + match[0].length, what)
      found.push({ from, to: end, what })
      pattern.lastIndex = end
    }
  }
  return found
}

function endOf(text: string, from: number, what: string): number {
  if (what === "a private key") {
    const end = text.indexOf("-----END", from)
    const close = end === -1 ? -1 : text.indexOf("-----", end + "-----END".length)
    return close === -1 ? text.length : close + "-----".length
  }
  let to = from
  while (to < text.length && isAfter.test(text[to] ?? "")) to++
  return to
}

/** Texts in quotes that a member or a variable with the name of a secret gets: `"apiKey": "…"`, `token = '…'`. */
function assignments(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  const operator = /[:=]\s{0,9}\\{0,3}(["'`])/g
  for (let match = operator.exec(text); match; match = operator.exec(text)) {
    const name = nameBefore(text, match.index)
    const isCookie = isCookieName(name) && text[match.index] === ":"
    if (!isCookie && !isSecretName(name)) continue
    const from = operator.lastIndex
    const close = text.indexOf(match[1] ?? "", from)
    const to = close === -1 ? text.length : close
    const value = text.slice(from, to).replace(/\\+$/, "")
    operator.lastIndex = to
    if (isSecretValue(name, value)) found.push({ from, to: from + value.length, what: "a key" })
  }
  return found
}

const maxNameLength = 60

/** The name that ends before a position, in quotes or not. */
function nameBefore(text: string, position: number): string {
  let end = position
  for (let spaces = 0; spaces < 9 && /\s/.test(text[end - 1] ?? ""); spaces++) end--
  if (/["'`]/.test(text[end - 1] ?? "")) end--
  for (let slashes = 0; slashes < 3 && text[end - 1] === "\\"; slashes++) end--
  let from = end
  while (from > 0 && end - from < maxNameLength && /[\w-]/.test(text[from - 1] ?? "")) from--
  return text.slice(from, end)
}

/** Values of parameters in addresses and forms: `?api_key=…`, `client_secret=…&`. */
function parameters(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  const parameter = /(?:^|(?<!&)[?&](?:amp;)?)([\w.[\]%-]{1,60})=/g
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    const name = match[1] ?? ""
    if (!isSecretName(name) && !isPlainKey(name)) continue
    const from = parameter.lastIndex
    valueEnd.lastIndex = from
    const to = valueEnd.exec(text)?.index ?? text.length
    parameter.lastIndex = to
    // At the beginning of code stands an assignment, and only at that of a form a parameter.
    const isForm = match.index > 0 || to === text.length || text[to] === "&"
    if (isForm && isSecretValue(name, text.slice(from, to))) {
      found.push({ from, to, what: "a key in an address" })
    }
  }
  return found
}

const valueEnd = /[&#\s"'`<>();\\]/g

function disjoint(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = []
  for (const secret of found.toSorted((one, other) => one.from - other.from)) {
    const last = kept.at(-1)
    if (!last || secret.from >= last.to) kept.push({ ...secret })
    else last.to = Math.max(last.to, secret.to)
  }
  return kept
}
