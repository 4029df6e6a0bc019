/** Names of headers, parameters, members and variables that hold secrets, and which of their values are some. */

const maxNameLength = 100

const wholeNames = /^(?:(?:proxy)?authorization|auth|token|pass|pwd|csrftoken)$/

const endings =
  /(?:secret|passw(?:or)?d|passphrase|apikey|(?:access|app|application|auth|functions|license|master|private|secret|service|signing|subscription)key|(?:access|api|app|auth|authentication|bearer|bot|private|refresh|security|session|user)token)$/

const vendorHeader = /^x-.*(?:key|token|auth|authorization)$/i

/** Whether a name is that of a secret: `Authorization`, `x-api-key`, `clientSecret`. */
export function isSecretName(name: string): boolean {
  if (name.length > maxNameLength) return false
  const trimmed = name.trim()
  const letters = trimmed.toLowerCase().replace(/[^a-z0-9]/g, "")
  return wholeNames.test(letters) || endings.test(letters) || vendorHeader.test(trimmed)
}

export const isCookieName = (name: string) => /^\s*(?:set-)?cookie\s*$/i.test(name)

/** `key` is a usual name of other things, too: only long values without spaces are secrets. */
export const isPlainKey = (name: string) => /^\s*key\s*$/i.test(name)
const plainKeyValue = /^\S{16,}$/

/** Shorter values are no secrets, or no good ones. */
export const minSecretLength = 6

const variables = /\{\{[^{}"'`]{0,200}\}\}|\$\{[^{}"'`]{0,200}\}/g
const scheme = /^(?:bearer|basic|digest|token|apikey|key)(?:\s+|$)/i

/** Whether the value of such a name holds a secret: "Bearer {{Token}}" has none. */
export function isSecretValue(name: string, value: string): boolean {
  const rest = value.replace(variables, "").trim().replace(scheme, "")
  // Beside a variable stand names and separators, so that only what looks random is a secret.
  if (/\{\{|\$\{/.test(value)) return hasRandomRun(rest)
  if (isPlainKey(name)) return plainKeyValue.test(rest)
  return rest.length >= minSecretLength
}

function hasRandomRun(text: string): boolean {
  return (text.match(/[\w+/.~-]{12,}/g) ?? []).some((run) => /\d/.test(run) && /[a-z]/i.test(run))
}
