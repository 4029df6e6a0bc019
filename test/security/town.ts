/** The town of the guard's tests: a house inside, a house in front that may be called, a tunnel. */
import { afterAll, beforeEach } from "vitest"
import { type OutboundInit, openOutbound } from "../../src/effects/network/outbound.ts"
import { names } from "./hostileAddresses.ts"
import { leadOn, openEar, openHouse, openTunnel } from "./houses.ts"

/** Opens the town for the tests of a file; what its houses heard is forgotten before each test. */
export async function openTown() {
  const inside = await openHouse((_request, response) => response.end("secret"))
  const front = await openHouse(leadOn)
  const tunnel = await openTunnel()
  const ear = await openEar()
  const resolved: string[] = []
  const outbound = openOutbound({
    allowHosts: [
      `front.test:${front.port}`,
      `front.test:${ear.port}`,
      `other.test:${front.port}`,
      `proxy.test:${tunnel.port}`,
    ],
    timeoutMs: 5_000,
    resolve: async (host) => {
      resolved.push(host)
      const found = names[host]
      if (!found) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
      return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    },
  })
  afterAll(() => outbound.close())
  beforeEach(() => {
    for (const list of [inside.requests, front.requests, tunnel.asked, ear.heard, resolved]) {
      list.length = 0
    }
  })
  return {
    inside,
    front,
    tunnel,
    ear,
    outbound,
    /** Names that were looked up, in order. */
    resolved,
    /** Address of the house in front that redirects. */
    redirectTo: (to: string, status = 302) =>
      `http://front.test:${front.port}/?status=${status}&to=${encodeURIComponent(to)}`,
    /** Status and text of a response, or the name of the error. */
    async attempt(url: string, init?: OutboundInit): Promise<string> {
      try {
        const response = await outbound.fetch(url, init)
        return `${response.status} ${await response.text()}`
      } catch (error) {
        return error instanceof Error ? error.name : "?"
      }
    },
  }
}
