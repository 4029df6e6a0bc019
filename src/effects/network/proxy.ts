/** Sends requests through HTTP proxies without letting these bypass the network guard. */
import { isIP } from "node:net"
import { type Dispatcher, ProxyAgent } from "undici"
import { BlockedError, bareHost, portOf } from "./addressRules.ts"
import { connectMs, type Guard, guardedLookup, resolveAllowed } from "./guardedConnect.ts"

/** Opens the proxy at an address, which may contain a user name and a password. */
export function openProxy(address: string, guard: Guard) {
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
    /** Waits for requests to finish, then closes the connections. */
    close: () => agent.close(),
  }
}

/** Gives the proxy an IP address that was checked, never a name that it would resolve itself. */
function pinned(guard: Guard): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const origin = new URL(String(options.origin))
    const headers = { ...(options.headers as Record<string, string>), host: origin.host }
    // The name that the certificate is checked against: undocumented, but undici uses it itself.
    const tls = isIP(bareHost(origin.hostname)) ? {} : { servername: origin.hostname }
    addressOf(guard, origin)
      .then((address) => dispatch({ ...options, ...tls, origin: address, headers }, handler))
      .catch((error: Error) => handler.onResponseError?.(noController, error))
    return true
  }
}

// Nothing has started that could be controlled; undici's own interceptors pass null too.
const noController = null as unknown as Dispatcher.DispatchController

async function addressOf(guard: Guard, origin: URL): Promise<string> {
  const isListed = guard.rules.isListed(origin.hostname, portOf(origin))
  const host = bareHost(origin.hostname)
  if (isIP(host)) return origin.origin
  const [{ address, family }] = await resolveAllowed(guard, host, isListed)
  const pinnedTo = new URL(origin)
  pinnedTo.hostname = family === 6 ? `[${address}]` : address
  return pinnedTo.origin
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
