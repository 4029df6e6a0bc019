/** Tests that flows can use proxies, but not to bypass the network guard. */
import { describe, expect, it } from "vitest"
import { hostileAddresses } from "./hostileAddresses.ts"
import { openTown } from "./town.ts"

const { inside, front, tunnel, ear, resolved, redirectTo, attempt } = await openTown()
const hostile = hostileAddresses(inside.port)
const at = (host: string) => `http://${host}:${inside.port}/`

describe("a proxy", () => {
  const proxyUrl = `http://me:pass%20word@proxy.test:${tunnel.port}`

  it("gets a checked address, and the credentials", async () => {
    const answer = await attempt(`http://front.test:${front.port}/path`, { proxyUrl })
    expect(answer).toMatch(/^200 .*"url":"\/path"/)
    expect(answer).toContain(`"host":"front.test:${front.port}"`)
    const login = `Basic ${Buffer.from("me:pass word").toString("base64")}`
    expect(tunnel.asked).toEqual([{ target: `127.0.0.1:${front.port}`, login }])
    expect(resolved.filter((host) => host === "front.test")).toHaveLength(1)
  })

  it.each([undefined, proxyUrl])("or none leaves the name for the certificate: %s", async (by) => {
    ear.heard.length = 0
    const init = by === undefined ? {} : { proxyUrl: by }
    expect(await attempt(`https://front.test:${ear.port}/`, init)).toBe("TypeError")
    expect(ear.heard).toEqual([expect.stringContaining("front.test")])
  })

  it("does not make a host that is allowed on one port reachable on others", async () => {
    const url = redirectTo(at("front.test"))
    expect(await attempt(url, { proxyUrl })).toBe("BlockedError")
    expect(tunnel.asked).toHaveLength(1)
  })

  it.each(hostile)("does not lead to %s", async (url) => {
    expect(await attempt(url, { proxyUrl })).toBe("BlockedError")
    expect(tunnel.asked).toHaveLength(0)
  })

  it("does not lead inside by a redirect", async () => {
    expect(await attempt(redirectTo(at("localhost")), { proxyUrl })).toBe("BlockedError")
    expect(tunnel.asked).toHaveLength(1)
    expect(inside.requests).toHaveLength(0)
  })

  it.each([
    `http://127.0.0.1:${tunnel.port}`,
    `http://localhost:${tunnel.port}`,
    `http://lan.test:${tunnel.port}`,
    "http://169.254.169.254",
    "socks5://proxy.test:1080",
    "nonsense",
  ])("must not itself be inside: %s", async (address) => {
    const url = `http://front.test:${front.port}/`
    expect(await attempt(url, { proxyUrl: address })).toBe("BlockedError")
    expect(tunnel.asked).toHaveLength(0)
  })
})
