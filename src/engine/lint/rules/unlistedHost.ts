/** Keys go to hosts that their credentials name. */
import { hasHostOf } from "../../allowedHosts.ts"
import type { Found, Rule } from "../finding.ts"
import type { Site } from "../sites.ts"
import type { Subject } from "../subject.ts"

/** An address of the author's choice, to which a chat does not send the key without leave. */
export const unlistedHost: Rule = {
  id: "unlisted-host",
  severity: "warning",
  description:
    "The address of an API is that of the provider, or its host is among the allowed hosts of the " +
    "credential; the key is sent nowhere else.",
  remedy:
    "Add the host to the credential's allowed hosts, unless it is there or the credential has an " +
    "address of its own.",
  checkBlock: unlisted,
}

function unlisted({ block, type, path }: Site, { surroundings }: Subject): Found[] {
  const sent = type.sendsKeyTo?.(block)
  if (!sent) return []
  const allowed = surroundings.allowedHosts?.get(sent.credentialsId) ?? []
  const found = (message: string) => [{ path: [...path, ...sent.at], message }]
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(sent.address.trim())?.[0] ?? ""
  if (origin.includes("{{") || !URL.canParse(origin)) {
    // Which of them it will be is only known in a chat.
    if (allowed.length > 0) return []
    return found("The host of the address is not written out: no key is sent to an unknown one")
  }
  const url = new URL(origin)
  if (hasHostOf(allowed, url)) return []
  return found(`The key is not sent to ${url.host}, unless the credential allows this host`)
}
