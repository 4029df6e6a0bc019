/** Servers for tests of the network guard: an internal one, a public one that may be called, a proxy. */
import { beforeEach } from "vitest"
import { type OutboundInit, openOutbound } from "../../src/effects/network/outbound.ts"
import { whenOver } from "../support/whenOver.ts"
import { names } from "./hostileAddresses.ts"
import { leadOn, openEar, openHouse, openTunnel } from "./houses.ts"

/** Starts the servers for the tests of a file; their records are cleared before each test. */
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
  whenOver(() => outbound.close())
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
    /** The names that were resolved, in order. */
    resolved,
    /** An address of the public server that redirects. */
    redirectTo: (to: string, status = 302) =>
      `http://front.test:${front.port}/?status=${status}&to=${encodeURIComponent(to)}`,
    /** The status and text of a response, or the name of the error. */
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
