/** Lists of hosts that secrets may be sent to: each in its plain form, with or without a port. */
import { plainHost } from "../lib/plainHost.ts"

/** Whether a list has the host and port of an address; an entry without a port means the usual one. */
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
