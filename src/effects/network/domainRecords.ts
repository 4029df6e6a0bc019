/** Asks the DNS what it says about the domains of authors. */
import { promises as dns } from "node:dns"

/** What the name servers of a domain say: its values, or why there are none. */
export type Answer = { values: string[] } | "missing" | "unreachable"

export type DomainRecords = {
  /** Texts of a name, each in one piece. */
  texts(name: string): Promise<Answer>
  /** The name that a name stands for. */
  canonicalName(name: string): Promise<Answer>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<Answer>
}

const timeoutMs = 3_000
/** Of any owner of a domain: more and longer than domains have in practice. */
const maxValues = 20
const maxLength = 255

/** Creates what asks; `servers` are name servers as `address:port`, absent: those of the system. */
export function createDomainRecords(servers?: readonly string[]): DomainRecords {
  const ask = async (find: (resolver: dns.Resolver) => Promise<string[]>): Promise<Answer> => {
    // A new one each time, because it reads the servers of the system only once.
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 1 })
    if (servers) resolver.setServers(servers)
    try {
      const values = await find(resolver)
      return { values: values.slice(0, maxValues).map((value) => value.slice(0, maxLength)) }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === "ENOTFOUND" || code === "ENODATA" ? "missing" : "unreachable"
    }
  }
  return {
    texts: (name) =>
      ask(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join(""))),
    canonicalName: (name) => ask((resolver) => resolver.resolveCname(name)),
    async addresses(name) {
      const answers = await Promise.all([
        ask((resolver) => resolver.resolve4(name)),
        ask((resolver) => resolver.resolve6(name)),
      ])
      const values = answers.flatMap((each) => (typeof each === "string" ? [] : each.values))
      if (values.length > 0) return { values }
      return answers.includes("missing") ? "missing" : "unreachable"
    },
  }
}
