/** Hosts of requests: those of the service cost nothing, others one short look in the database. */
import { expect, test, vi } from "vitest"
import type { Db } from "../db/connection/openDatabase.ts"
import { createSites, pathAt } from "./sites.ts"

const rows = [
  { botId: "b1", publicId: "shop", customDomain: "a.example", plan: "PRO", isProven: true },
  { botId: "b2", publicId: "help", customDomain: "a.example/help", plan: "PRO", isProven: true },
]

function open(found: object[] = rows) {
  const run = vi.fn(async (_statement: unknown, _values: unknown) => found)
  const sites = createSites({
    db: { run } as unknown as Db,
    publicUrl: "https://bots.service.example",
    chatUrl: "https://chat.service.example:8443",
    allowedOrigins: ["https://builder.service.example"],
  })
  const siteOf = (host: string | undefined, url = "/", hosts = [host ?? ""]) =>
    sites.siteOf({ headers: { host }, headersDistinct: { host: hosts }, url })
  return { run, sites, siteOf }
}

test.each([
  ...["bots.service.example", "BOTS.service.example.", "bots.service.example:443"],
  ...["chat.service.example:8443", "builder.service.example", "127.0.0.1:3000", "[::1]:3000"],
  ...["localhost:3000", "parley", "parley.default.svc.local", "a b.example", "a.example/x", ""],
  ...["x".repeat(300), undefined],
])("%s needs no look in the database", (host) => {
  const { run, siteOf } = open()
  expect(siteOf(host)).toBeUndefined()
  expect(run).not.toHaveBeenCalled()
})

test("a host is looked up once in four seconds, however many requests come at once", async () => {
  vi.useFakeTimers()
  vi.advanceTimersByTime(1)
  const { run, siteOf } = open()
  await Promise.all(Array.from({ length: 50 }, () => siteOf("A.example.:8443")))
  expect(run.mock.calls.map(([, values]) => values)).toEqual([["a.example"]])
  expect(siteOf("a.example")).toEqual({
    pages: new Map([
      ["", "shop"],
      ["/help", "help"],
    ]),
    botIds: new Set(["b1", "b2"]),
  })
  vi.advanceTimersByTime(4_001)
  await siteOf("a.example")
  expect(run).toHaveBeenCalledTimes(2)
})

test("a host that no bot names is remembered, too", async () => {
  const { run, siteOf } = open([])
  expect(await siteOf("a.example")).toBeUndefined()
  expect(siteOf("a.example")).toBeUndefined()
  expect(run).toHaveBeenCalledTimes(1)
})

test("the last 10,000 hosts are remembered, and no more", async () => {
  const { run, siteOf } = open([])
  for (let number = 0; number <= 10_000; number++) await siteOf(`h${number}.example`)
  expect(siteOf("h1.example")).toBeUndefined()
  expect(run).toHaveBeenCalledTimes(10_001)
  expect(siteOf("h0.example")).toBeInstanceOf(Promise)
  expect(run).toHaveBeenCalledTimes(10_002)
})

test.each([
  ["is not proven", { isProven: false }],
  ["has no public id", { publicId: null }],
  ["has a plan without domains", { plan: "FREE" }],
])("a bot that %s is not served, and its host has no other page", async (_, facts) => {
  const { siteOf } = open([{ ...rows[0], ...facts }])
  const site = await siteOf("a.example")
  if (!site) throw new Error("There is no site")
  expect(site.botIds.size).toBe(0)
  const refused = () => pathAt(site, { method: "GET", path: "/" }, () => true)
  expect(refused).toThrow("not proven")
})

test("a failing database refuses requests to such hosts, and no others", async () => {
  const { run, siteOf } = open()
  run.mockRejectedValue(new Error("gone"))
  await expect(siteOf("a.example")).rejects.toThrow("gone")
  expect(siteOf("bots.service.example")).toBeUndefined()
})
