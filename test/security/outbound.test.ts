/** Tests that no request of a flow gets past the network guard to internal servers. */
import { afterAll, describe, expect, it } from "vitest"
import { createHttp } from "../../src/effects/network/http.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { openSandbox } from "../../src/effects/sandbox/sandbox.ts"
import { createScripts } from "../../src/effects/scripts.ts"
import { isFailure } from "../../src/engine/calls.ts"
import { callContext } from "../effects/peer.ts"
import { wallet } from "../effects/wallet.ts"
import { hostileAddresses, names } from "./hostileAddresses.ts"
import { openTown } from "./town.ts"

const { inside, front, outbound, redirectTo, attempt } = await openTown()
const hostile = hostileAddresses(inside.port)
const at = (host: string) => `http://${host}:${inside.port}/`
const sandbox = openSandbox()
const scripts = createScripts({ sandbox, outbound, allowsRestricted: false })
const http = createHttp({
  outbound,
  credentials: wallet({}),
  readFile: async () => ({ failed: true, description: "no files" }),
  files: { save: async () => "" },
  allowsRestricted: false,
})
afterAll(() => sandbox.close())

describe("13.5 hostile addresses", () => {
  it("are many, and the guard does let through what is allowed", async () => {
    expect(new Set(hostile).size).toBeGreaterThan(90)
    expect(await attempt(`http://front.test:${front.port}/`)).toMatch(/^200 /)
    expect(await fetch(at("127.0.0.1")).then((response) => response.text())).toBe("secret")
  })

  it.each(hostile)("are blocked: %s", async (url) => {
    expect(await attempt(url)).toBe("BlockedError")
    expect(inside.requests).toHaveLength(0)
  })

  it.each(hostile)("are blocked behind a redirect: %s", async (url) => {
    // A relative address is a path of the public server.
    const isRelative = url === "" || url.startsWith("http:127")
    const answer = await attempt(redirectTo(url))
    if (!isRelative) expect(answer).toBe("BlockedError")
    expect(inside.requests).toHaveLength(0)
  })

  it("are blocked for blocks that make requests", async () => {
    const outcomes = await Promise.all(
      hostile.map((url) =>
        http({ kind: "http", timeoutMs: 5_000, request: { method: "GET", url } }, callContext()),
      ),
    )
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: "blocked" })
    expect(inside.requests).toHaveLength(0)
  })

  it("are blocked for scripts", async () => {
    const code = "try { return await fetch(url) } catch (error) { return error.message }"
    const calls = hostile.map((url) => ({ code, globals: { url }, mode: "program" as const }))
    for (let i = 0; i < calls.length; i += 20) {
      const call = { kind: "script" as const, scripts: calls.slice(i, i + 20) }
      const outcome = await scripts(call, callContext())
      if (isFailure(outcome)) throw new Error(outcome.description)
      for (const result of outcome.results) {
        expect(result).toEqual({ value: "The server is at an address that must not be called" })
      }
    }
    expect(inside.requests).toHaveLength(0)
  })

  it("are blocked with the resolver of the system too", async () => {
    const plain = openOutbound({ allowHosts: [] })
    for (const host of ["localhost", "127.0.0.1"]) {
      await expect(plain.fetch(at(host))).rejects.toThrow("not a public one")
    }
    expect(inside.requests).toHaveLength(0)
    await plain.close()
  })
})

describe("names", () => {
  it("are looked up once, and the connection goes to what was found", async () => {
    const answers = ["127.0.0.1", "10.0.0.1"]
    const rebinding = openOutbound({
      allowHosts: ["127.0.0.0/8"],
      resolve: async () => [{ address: answers.shift() ?? "10.0.0.1", family: 4 }],
    })
    expect((await rebinding.fetch(`http://rebind.test:${front.port}/`)).status).toBe(200)
    expect(answers).toEqual(["10.0.0.1"])
    await rebinding.close()
  })

  it("that lead inside at the second look-up are blocked there", async () => {
    const answers = ["127.0.0.1", "10.0.0.1"]
    const rebinding = openOutbound({
      allowHosts: ["127.0.0.0/8"],
      resolve: async () => [{ address: answers.shift() ?? "10.0.0.1", family: 4 }],
    })
    const url = `http://rebind.test:${front.port}/?to=${encodeURIComponent(at("rebind.test"))}`
    await expect(rebinding.fetch(url)).rejects.toThrow("not a public one")
    expect(inside.requests).toHaveLength(0)
    await rebinding.close()
  })
})

describe("the list of allowed hosts", () => {
  const reach = async (allowHosts: string[], url: string) => {
    const guard = openOutbound({
      allowHosts,
      resolve: async (host) => (names[host] ?? []).map((address) => ({ address, family: 4 })),
    })
    try {
      return (await guard.fetch(url)).status
    } catch (error) {
      return error instanceof Error ? error.name : "?"
    } finally {
      await guard.close()
    }
  }

  it.each([
    [["front.test"], "front.test", 200],
    [["FRONT.test."], "front.test", 200],
    [["front.test:PORT"], "front.test", 200],
    [["front.test:1234"], "front.test", "BlockedError"],
    [["other.test"], "front.test", "BlockedError"],
    [["127.0.0.1"], "front.test", 200],
    [["127.0.0.1"], "127.0.0.1", 200],
    [["127.0.0.1:PORT"], "2130706433", 200],
    [["127.0.0.1:1234"], "127.0.0.1", "BlockedError"],
    [["127.0.0.0/8"], "front.test", 200],
    [["127.0.0.0/8"], "cloud.test", "BlockedError"],
    [["10.0.0.0/8"], "front.test", "BlockedError"],
    [["0.0.0.0/0"], "169.254.169.254", "BlockedError"],
    [["169.254.169.254"], "169.254.169.254", "BlockedError"],
    [["cloud.test"], "cloud.test", "BlockedError"],
    [["::/0"], "front.test", "BlockedError"],
  ])("%j lets a flow to %s: %s", async (list, host, outcome) => {
    const entries = list.map((entry) => entry.replace("PORT", String(front.port)))
    expect(await reach(entries, `http://${host}:${front.port}/`)).toBe(outcome)
  })

  it.each([
    "http://a.test",
    "a.test/path",
    "a b",
    "user@a.test",
    "10.0.0.0/99",
    "a.test:x",
  ])("is refused when it holds %s", (entry) => {
    expect(() => openOutbound({ allowHosts: [entry] })).toThrow(/is not a host/)
  })
})

describe("failures", () => {
  it("say nothing of what was sent", async () => {
    const secret = "s3cr3t"
    const requests = [
      { method: "GET", url: `http://none.test/?key=${secret}` },
      { method: "GET", url: `http://127.0.0.1/${secret}` },
      { method: "GET", url: `http://${secret}:${secret}@front.test/` },
      {
        method: "GET",
        url: `http://front.test:${front.port}/`,
        headers: [["x", `${secret}\n${secret}`]],
      },
      { method: "GET", url: `http://front.test:${front.port}/`, headers: [[`${secret} x`, "1"]] },
      { method: "GET", url: `nonsense ${secret}` },
    ] as { method: string; url: string; headers?: [string, string][] }[]
    for (const request of requests) {
      const outcome = await http({ kind: "http", timeoutMs: 1_000, request }, callContext())
      expect(outcome).toMatchObject({ failed: true })
      expect(JSON.stringify(outcome)).not.toContain(secret)
    }
  })
})

describe("an anonymous preview", () => {
  const context = callContext({ isPreview: true, isRestricted: true })
  const url = `http://front.test:${front.port}/`
  const request = { kind: "http" as const, timeoutMs: 5_000, request: { method: "GET", url } }
  const script = {
    kind: "script" as const,
    scripts: [{ code: `return await fetch("${url}")`, globals: {}, mode: "program" as const }],
  }

  it("makes no requests, neither by blocks nor by scripts", async () => {
    expect(await http(request, context)).toMatchObject({ reason: "blocked" })
    expect(await scripts(script, context)).toMatchObject({ results: [{ failed: true }] })
    expect(front.requests).toHaveLength(0)
  })

  it("makes them through the guard where the operator allows it", async () => {
    const parts = { sandbox, outbound, allowsRestricted: true }
    const outcome = await createScripts(parts)(script, context)
    expect(outcome).toMatchObject({ results: [{ value: expect.stringContaining("GET") }] })
    const inner = { ...script.scripts[0], code: `return await fetch("${at("localhost")}")` }
    const scriptsInside = { ...script, scripts: [{ ...script.scripts[0], ...inner }] }
    expect(await createScripts(parts)(scriptsInside as typeof script, context)).toMatchObject({
      results: [{ failed: true }],
    })
    expect(inside.requests).toHaveLength(0)
  })
})
