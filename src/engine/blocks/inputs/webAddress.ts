/** What counts as a web address, by the rules of validator 13. */
import isURL from "validator/lib/isURL.js"

/** An address of the web, its scheme optional: it needs a known kind of host and at most 2084 characters. */
export function isWebAddress(text: string): boolean {
  return isURL.default(text, { protocols: ["http", "https"] })
}

/** An address with its scheme, of a file for example. `ownHost`: a host that needs no top-level domain. */
export function isAbsoluteUrl(text: string, ownHost: string | undefined): boolean {
  const options = { protocols: ["http", "https"], require_protocol: true, validate_length: false }
  if (isURL.default(text, options)) return true
  const host = URL.canParse(text) ? new URL(text).hostname : undefined
  if (host === undefined || (host !== "localhost" && host !== ownHost)) return false
  return isURL.default(text, { ...options, require_tld: false })
}
