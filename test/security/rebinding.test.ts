/** Tests host names of attackers that resolve to a public address first, and then to this machine. */
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, expect, test } from "vitest"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { createResolve } from "../../src/effects/network/resolve.ts"
import { testServer } from "../support/server.ts"
import { openNameServer } from "./nameServer.ts"

/** A real address, because the guard does not accept documentation addresses (RFC 5737) as public. */
const publicAddress = "93.184.215.14"

let visits = 0
const inside = createServer((_request, response) => {
  visits += 1
  response.end("secret")
})
await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve))
const { port } = inside.address() as AddressInfo
afterAll(() => inside.close())

/** A name server that gives the next of these addresses each time, and then always the last. */
async function openRebinding(addresses: readonly string[]) {
  const server = await openNameServer((_name, asked) => addresses[asked] ?? addresses.at(-1))
  return { asked: server.asked, resolve: createResolve({ servers: [server.address] }) }
}

test("a name whose second answer is this machine is asked once, and never leads there", async () => {
  const names = await openRebinding([publicAddress, "127.0.0.1"])
  const outbound = openOutbound({ allowHosts: [], resolve: names.resolve, timeoutMs: 1_500 })
  // The public address is called, even if it cannot be reached from here.
  const answer = await outbound
    .fetch(`http://rebind.test:${port}/`)
    .then((response) => response.text())
    .catch((error: Error) => error.name)
  expect(answer).not.toBe("secret")
  expect(names.asked()).toBe(1)
  expect(visits).toBe(0)
  await outbound.close()
})

test("a request after that asks again, and is blocked", async () => {
  const names = await openRebinding([publicAddress, "127.0.0.1"])
  const outbound = openOutbound({ allowHosts: [], resolve: names.resolve, timeoutMs: 1_500 })
  const url = `http://rebind.test:${port}/`
  await outbound.fetch(url).catch(() => {})
  await expect(outbound.fetch(url)).rejects.toThrow("not a public one")
  expect(names.asked()).toBe(2)
  expect(visits).toBe(0)
  await outbound.close()
})

test("where this machine may be called, the address that was checked is the one that is called", async () => {
  const names = await openRebinding(["127.0.0.1", "10.0.0.1"])
  const outbound = openOutbound({ allowHosts: ["127.0.0.1"], resolve: names.resolve })
  const response = await outbound.fetch(`http://rebind.test:${port}/`)
  expect([await response.text(), names.asked(), visits]).toEqual(["secret", 1, 1])
  await outbound.close()
})

test("a foreign page whose name resolves here reads no metrics, under any name", async () => {
  const { address } = await testServer({ PARLEY_PUBLIC_URL: "https://chat.example.com" })
  const statusUnder = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${address}/metrics`, { headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .once("error", reject)
        .end()
    })
  const own = ["localhost", "LOCALHOST:3000", "localhost.", "127.0.0.1:1", "127.1.2.3", "[::1]:80"]
  for (const host of [...own, "chat.example.com", "chat.example.com:443"]) {
    expect([host, await statusUnder(host)]).toEqual([host, 200])
  }
  const others = ["evil.test", "127.0.0.1.evil.test", "localhost.evil.test", "127.evil.test"]
  for (const host of [...others, "evil.test:3000", "example.com", "192.168.0.1", "[::2]"]) {
    expect([host, await statusUnder(host)]).toEqual([host, 404])
  }
})
