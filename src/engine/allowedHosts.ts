/** Allowlists of hosts for secrets, in plain form, with or without a port. */
import { plainHost } from "../lib/plainHost.ts"

/** Whether a list has an address's host and port; entries without a port mean the scheme's default. */
export function hasHostOf(
  allowedHosts: readonly string[],
  { hostname, port, protocol }: URL,
): boolean {
  const host = plainHost(hostname)
  if (port === "" && allowedHosts.includes(host)) return true
  const usual = protocol === "https:" ? "443" : "80"
  return allowedHosts.includes(`${host}:${port || usual}`)
}

/** Hosts of OpenAI itself, including those of its regions. */
export const openAiHosts: readonly string[] = [
  "api.openai.com",
  "eu.api.openai.com",
  "us.api.openai.com",
]
