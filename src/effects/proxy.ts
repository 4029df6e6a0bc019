/** Goes through an HTTP proxy without letting it be a way around the network guard. */
import { type Dispatcher, interceptors, ProxyAgent } from "undici"
import { BlockedError, portOf } from "./addressRules.ts"
import { connectMs, type Guard, guardedLookup, resolveAllowed } from "./guardedConnect.ts"

/** A proxy to send requests through. */
export type Proxy = {
  dispatcher: Dispatcher
  /** Lets requests finish, then ends the connections. */
  close(): Promise<void>
}

/** Opens the way through the proxy at an address, which may hold a user name and a password. */
export function openProxy(address: string, guard: Guard): Proxy {
  if (!URL.canParse(address)) throw new BlockedError("The address of the proxy is not one")
  const url = new URL(address)
  const token = tokenOf(url)
  url.username = ""
  url.password = ""
  guard.rules.checkUrl(url)
  const isListed = guard.rules.isListed(url.hostname, portOf(url))
  const agent = new ProxyAgent({
    uri: url.href,
    proxyTls: { timeout: connectMs, lookup: guardedLookup(guard, isListed) },
    ...(token === undefined ? {} : { token }),
  })
  return {
    dispatcher: agent.compose(pinned(guard)),
    close: () => agent.close(),
  }
}

/** The proxy is told an IP address that we checked, never a name that it would look up itself. */
function pinned(guard: Guard): Dispatcher.DispatcherComposeInterceptor {
  return interceptors.dns({
    maxTTL: 0,
    lookup: (origin, _options, callback) => {
      const isListed = guard.rules.isListed(origin.hostname, portOf(origin))
      const host = origin.hostname.replace(/^\[(.*)\]$/, "$1")
      resolveAllowed(guard, host, isListed).then(
        (found) => {
          const records = found.map(({ address, family }) => {
            return { address, family: family === 6 ? 6 : 4, ttl: 0 } as const
          })
          callback(null, records)
        },
        (error: Error) => callback(error as NodeJS.ErrnoException, []),
      )
    },
  })
}

function tokenOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined
  const login = `${decode(username)}:${decode(password)}`
  return `Basic ${Buffer.from(login).toString("base64")}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
