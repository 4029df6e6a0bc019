/** Pages of other programs on the machine of a service that only this machine uses, such as a builder in development. */

type Reached = {
  publicUrl: string
  /** Port on which the service listens. */
  port: number
  /** Origin of chat pages; absent: that of the service. */
  chatUrl?: string | undefined
  trustedProxies: number
  /** Whether code of authors runs in chat pages. */
  trustsAuthors: boolean
}

/**
 * Whether an origin is that of such a page, to which people may go on when they have signed in; absent unless the
 * service itself is local. Pages on the ports of the service are none: bots are on these.
 */
export function localPages(reached: Reached) {
  const { publicUrl, port, chatUrl, trustedProxies, trustsAuthors } = reached
  const own = new URL(publicUrl)
  // A proxy may serve it to other machines.
  if (own.protocol !== "http:" || !isLoopback(own.hostname) || trustedProxies > 0) return undefined
  // Its own pages would count as those of others: at a port that the system chooses, or that is passed on to it while
  // code of authors runs in them.
  if (port === 0 || trustsAuthors) return undefined
  const ports = new Set([portOf(own), String(port), ...(chatUrl ? [portOf(new URL(chatUrl))] : [])])
  return (origin: string): boolean => {
    if (!URL.canParse(origin)) return false
    const url = new URL(origin)
    const isPlain = url.origin === origin && url.protocol === "http:"
    return isPlain && isLoopback(url.hostname) && !ports.has(portOf(url))
  }
}

/** Names that no one else can have point to this machine. */
function isLoopback(name: string): boolean {
  return name === "localhost" || name === "127.0.0.1" || name === "[::1]"
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80")
}
