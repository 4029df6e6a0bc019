/** Tests which caller can send a stored key to which host, through every operation. */
import { beforeEach, describe, expect, test } from "vitest"
import {
  apiKey,
  bots,
  flowTo,
  type HostName,
  hosts,
  keysAt,
  listen,
  otherHost,
  type PeerName,
  requestsAt,
  server,
  startAs,
  tokens,
  type Way,
  type Who,
} from "./keyTown.ts"

/** `runs`: with credentials. `locked`: without any. A number: refused with this status. */
type Entry = "runs" | "locked" | 401 | 403 | 404

/** What every kind of caller meets at a door. */
const doors = {
  "a flow in the body of a preview": {
    owner: "runs",
    member: "runs",
    writer: "runs",
    reader: 403,
    guest: 404,
    foreign: 404,
    nobody: "locked",
  },
  "such a flow whose address is a prefilled variable": {
    owner: "runs",
    member: "runs",
    writer: "runs",
    reader: 403,
    guest: 404,
    foreign: 404,
    nobody: "locked",
  },
  "the stored draft, its address a prefilled variable": {
    owner: "runs",
    member: "runs",
    writer: "runs",
    reader: "runs",
    guest: 404,
    foreign: 404,
    nobody: 401,
  },
  "the published bot, its address a prefilled variable": {
    owner: "runs",
    member: "runs",
    writer: "runs",
    reader: "runs",
    guest: "runs",
    foreign: "runs",
    nobody: "runs",
  },
} as const satisfies Record<string, Record<Who, Entry>>

type Door = keyof typeof doors

/** The server that gets the key from a flow that runs: once from a model's library, once from a request. */
const keys: Record<HostName, Partial<Record<PeerName, number>>> = {
  "the provider's own": { own: 2 },
  "allowed by the owner": { allowed: 2 },
  "any other": {},
  "private, though allowed by the owner": {},
  "allowed, redirecting to another": { allowed: 2 },
}

beforeEach(listen)

function enter(door: Door, way: Way, { who, host }: { who: Who; host: HostName }) {
  const { address, credential } = hosts[host]
  const { botId, publicId } = bots[credential]
  const prefilledVariables = { H: address }
  switch (door) {
    case "a flow in the body of a preview":
      return startAs(who, way, { botId, bot: flowTo(credential, address) })
    case "such a flow whose address is a prefilled variable":
      return startAs(who, way, { botId, bot: flowTo(credential, "{{H}}"), prefilledVariables })
    case "the stored draft, its address a prefilled variable":
      return startAs(who, way, { botId, prefilledVariables })
    case "the published bot, its address a prefilled variable":
      return startAs(who, way, { publicId, prefilledVariables })
  }
}

const everybody = Object.keys(tokens) as Who[]
const allHosts = Object.keys(hosts) as HostName[]

describe.each(Object.keys(doors) as Door[])("22.3 through %s", (door) => {
  describe.each(["REST", "tRPC"] as const)("over %s", (way) => {
    test.each(everybody)("%s brings the key only where the table says", async (who) => {
      const entry = doors[door][who]
      for (const host of allHosts) {
        listen()
        const { status, text } = await enter(door, way, { who, host })
        expect(status, `${host}: ${text}`).toBe(typeof entry === "number" ? entry : 200)
        expect(keysAt(), host).toEqual(entry === "runs" ? keys[host] : {})
        expect(text).not.toContain(apiKey)
      }
    })
  })
})

test("a call that is not made is not made without the key either", async () => {
  await enter("a flow in the body of a preview", "REST", { who: "owner", host: "any other" })
  expect(requestsAt("other")).toBe(0)
})

test("a redirect is followed without the key", async () => {
  const host = "allowed, redirecting to another"
  await enter("a flow in the body of a preview", "REST", { who: "owner", host })
  expect(requestsAt("other")).toBe(1)
  expect(keysAt()).not.toHaveProperty("other")
})

describe("a call that is not made", () => {
  const words = `The credential \\"Key without address\\" does not allow the host ${otherHost}`
  const step = "add the host to the credential's allowed hosts"

  test("is reported to the person who previews, with the credential, the host and what to do", async () => {
    const door = "the stored draft, its address a prefilled variable"
    const { text } = await enter(door, "REST", { who: "reader", host: "any other" })
    expect(text.split(words)).toHaveLength(3)
    expect(text).toContain(step)
  })

  test("is logged with the result, and not shown to visitors of a published bot", async () => {
    const door = "the published bot, its address a prefilled variable"
    const started = await enter(door, "REST", { who: "nobody", host: "any other" })
    expect(started.text).not.toContain("Key without address")
    const path = `/api/v1/bots/${bots.named.botId}/results/${started.resultId}/logs`
    const { body } = await server.send("GET", path)
    expect(JSON.stringify(body).split(words)).toHaveLength(3)
    expect(JSON.stringify(body)).toContain(step)
  })
})

test("a host that is no longer allowed gets the key no more", async () => {
  const host = "allowed by the owner"
  const { body } = await server.send(
    "GET",
    `/api/v1/credentials?workspaceId=${(await workspaceOf()).id}`,
  )
  const listed = body.credentials as { id: string; allowedHosts: string[] }[]
  const named = listed.find(({ allowedHosts }) => allowedHosts.length > 0)
  const path = `/api/v1/credentials/${named?.id}`
  const allow = (allowedHosts: string[] = []) =>
    server.send("PATCH", path, { body: { credentials: { allowedHosts } } })
  await allow([])
  await enter("a flow in the body of a preview", "REST", { who: "owner", host })
  expect(keysAt()).toEqual({})
  await allow(named?.allowedHosts)
  await enter("a flow in the body of a preview", "REST", { who: "owner", host })
  expect(keysAt()).toEqual({ allowed: 2 })
})

async function workspaceOf(): Promise<{ id: string }> {
  const { body } = await server.send("GET", "/api/v1/workspaces")
  return (body.workspaces as { id: string }[])[0] ?? { id: "" }
}
