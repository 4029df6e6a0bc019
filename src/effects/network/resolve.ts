/** Looks up the addresses of host names. */
import { promises as dns, type LookupAddress } from "node:dns"

/** Resolves a name to its IP addresses. Rejects with a `code` if it has none. */
export type Resolve = (host: string, isListed: boolean) => Promise<LookupAddress[]>

type AskOptions = {
  /** The name servers, as `address:port`. Absent: those of the system. */
  servers?: readonly string[]
  /** How long one of them has for its first answer; the second try takes longer. */
  timeoutMs?: number
}

/**
 * Creates a resolver. The system looks up names that the operator lists, and those without a dot: only it
 * knows the hosts file and the search domains. But Node lets it look up two names at a time, so names of
 * strangers, whose servers may never answer, are asked for directly.
 */
export function createResolve(options: AskOptions = {}): Resolve {
  return (host, isListed) =>
    isListed || isOfTheMachine(host) ? dns.lookup(host, { all: true }) : ask(host, options)
}

function isOfTheMachine(host: string): boolean {
  const labels = host.replace(/\.$/, "").split(".")
  return labels.length === 1 || labels.at(-1) === "localhost"
}

async function ask(host: string, options: AskOptions): Promise<LookupAddress[]> {
  const { servers, timeoutMs = 2_000 } = options
  // A new one each time, because it reads the servers of the system only once.
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers) resolver.setServers(servers)
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)]
  if (found.length === 0 && ipv4.status === "rejected") throw withSystemCode(ipv4.reason)
  return found
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  if (answer.status === "rejected") return []
  return answer.value.map((address) => ({ address, family }))
}

/** Gives an error the code that the system's resolver has for it. */
function withSystemCode(error: NodeJS.ErrnoException): Error {
  if (error.code === "ETIMEOUT") return error
  const isMissing = error.code === "ENOTFOUND" || error.code === "ENODATA"
  return Object.assign(error, { code: isMissing ? "ENOTFOUND" : "EAI_AGAIN" })
}
