/** Public ids and domains of bots: which are valid, and which a bot gets by default. */

import { type AppError, badRequest } from "../lib/errors.ts"
import { plainHost } from "../lib/plainHost.ts"

const publicIdPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*-?$/
// In its plain form: labels of 1 to 63 letters, digits and inner hyphens, a top-level domain, perhaps a path.
const domainPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\/[\w/-]*)?$/

const maxLength = 255
const suffixLength = 7

/** Whether a text is a valid public id: a to z, digits and single hyphens, not starting with a hyphen. */
export function isPublicId(text: string): boolean {
  return text.length <= maxLength && publicIdPattern.test(text)
}

/** 400 for a public id of another form. */
export function invalidPublicId(): AppError {
  const message =
    "A public id has only a to z, 0 to 9 and single hyphens, none at its beginning, and at most " +
    `${maxLength} characters`
  const issue = { message, path: ["bot", "publicId"], code: "invalid_format" }
  return badRequest(message, [issue])
}

/**
 * The form in which domains are kept and compared: the host in lower case and ASCII without the dot of the
 * root, the path without slashes that lead nowhere. `Ä.Example.//Help/` is `xn--4ca.example/Help`.
 */
export function plainDomain(text: string): string {
  const [host = "", ...path] = text.trim().split("/")
  const segments = path.filter((segment) => segment !== "")
  return [plainHost(host), ...segments].join("/")
}

/** Whether a domain in its plain form is valid: a host, perhaps with a path. */
export function isCustomDomain(text: string): boolean {
  return text.length <= maxLength && domainPattern.test(text)
}

/** The default public id of a bot: its name in kebab case and the end of an id. */
export function publicIdFrom(name: string, id: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const kebab = (words ?? ["bot"]).join("-").slice(0, 200).replace(/-$/, "")
  return `${kebab}-${id.slice(-suffixLength)}`
}
