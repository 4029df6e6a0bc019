/** Domains of bots: who may name them, and what proves them. */
import { beforeAll, describe, expect, test } from "vitest"
import { createDomainRecords } from "../../src/effects/network/domainRecords.ts"
import { runJob } from "../support/jobs.ts"
import {
  asEve,
  asked,
  type Checked,
  check,
  database,
  domain,
  enterProof,
  eve,
  nameServer,
  other,
  own,
  prove,
  server,
  setDomain,
  silence,
  theirs,
  visit,
  zone,
} from "./domainScene.ts"

describe("before the DNS proves it, a domain", () => {
  beforeAll(() => setDomain(domain))

  test("has a check that says what to enter, and what was found", async () => {
    zone.set(`A ${domain}`, ["203.0.113.9"])
    expect(await check()).toEqual({
      customDomain: domain,
      isProven: false,
      records: [
        {
          ...{ type: "CNAME", name: domain, value: "bots.example.com" },
          ...{ isFound: false, found: ["203.0.113.9"] },
        },
        {
          ...{ type: "TXT", name: `_parley-challenge.${domain}`, isFound: false, found: [] },
          value: expect.stringMatching(/^parley-[0-9a-f]{32}$/),
        },
      ],
    })
  })

  test("serves nothing but an error without a cookie, and gets no certificate", async () => {
    for (const path of [
      "/",
      "/signIn",
      "/chat/demo",
      "/docs",
      "/metrics",
      "/healthz",
      "/embed.js",
      "/mcp",
    ]) {
      const { status, text, cookies } = await visit(path)
      expect([path, status, cookies]).toEqual([path, 404, undefined])
      expect(text).toContain("not proven")
    }
    const started = await visit(`/api/v1/bots/${own.publicId}/startChat`, {
      method: "POST",
      body: {},
    })
    expect(started.status).toBe(404)
    expect((await visit("/api/v1/users/me")).status).toBe(404)
    const { status } = await server.send("GET", `/tls/allowed?domain=${domain}`)
    expect(status).toBe(404)
  })

  test("can be named by another workspace, with another proof", async () => {
    expect((await setDomain(domain, theirs, asEve)).status).toBe(200)
    const values = [await check(), await check(theirs, asEve)].map(
      (checked) => (checked as unknown as Checked).records[1]?.value,
    )
    expect(new Set(values).size).toBe(2)
  })

  test("can be named once in a workspace", async () => {
    expect((await setDomain(`${domain.toUpperCase()}./`, other)).body).toMatchObject({
      reason: "DOMAIN_TAKEN",
    })
  })
})

test("names of the service itself cannot be a bot's, by any operation", async () => {
  for (const name of [
    "bots.example.com",
    "BOTS.example.com./a",
    "builder.example.com",
    "a.localhost",
    "parley.internal",
  ]) {
    const { status, body } = await setDomain(name, other)
    expect([name, status, body.message]).toEqual([
      name,
      400,
      expect.stringContaining("service itself"),
    ])
    const edits = [{ type: "bot.set", customDomain: name }]
    const path = `/api/v1/bots/${other.botId}/edits`
    const edited = await server.send("POST", path, { body: { revision: 99, edits } })
    expect(edited.status, name).toBe(400)
  }
  for (const name of ["127.0.0.1", "[::1]", "localhost", "shop"]) {
    expect((await setDomain(name, other)).status, name).toBe(400)
  }
})

test("an international domain is one with its ASCII form", async () => {
  await setDomain("Bücher.Shop.example", other)
  expect(await prove(other)).toBe(true)
  expect((await visit("/", { host: "xn--bcher-kva.shop.example" })).text).toContain(other.publicId)
  const { status } = await server.send("GET", "/tls/allowed?domain=b%C3%BCcher.shop.example")
  expect(status).toBe(200)
  await setDomain(null, other)
})

describe("of several workspaces that name a domain", () => {
  beforeAll(async () => {
    expect(await prove()).toBe(true)
  })

  const holder = async () => {
    const { rows } = await database.pool.query<{ workspace_id: string }>(
      "select workspace_id from domain_proofs where host = $1 order by proven_at desc limit 1",
      [domain],
    )
    return rows[0]?.workspace_id === eve.workspaceId ? "eve" : rows.length > 0 ? "ann" : "nobody"
  }

  test("a record of one proves nothing for another", async () => {
    expect(await check(theirs, asEve)).toMatchObject({ isProven: false })
    expect(await holder()).toBe("ann")
  })

  test("the last that proves it has it, and one whose record is gone loses it to one that has one", async () => {
    const value = await enterProof(theirs, asEve)
    expect(await check(theirs, asEve)).toMatchObject({ isProven: true })
    expect(await holder()).toBe("eve")
    expect((await visit("/")).text).toContain(theirs.publicId)
    expect(await check()).toMatchObject({ isProven: false })
    const key = `TXT _parley-challenge.${domain}`
    zone.set(
      key,
      (zone.get(key) ?? []).filter((each) => each !== value),
    )
    expect(await check()).toMatchObject({ isProven: true })
    expect(await holder()).toBe("ann")
  })

  test("none loses it because name servers are silent, and one does whose record is missing for three days", async () => {
    const records = createDomainRecords([nameServer])
    const recheck = () =>
      runJob(database, "check_domains", { records, now: () => Date.now() + 90_000_000 })
    silence(true)
    expect(await recheck()).toMatchObject({ unreachable: 1 })
    silence(false)
    expect(await recheck()).toMatchObject({ proven: 1, missing: 0 })
    zone.delete(`TXT _parley-challenge.${domain}`)
    expect(await recheck()).toMatchObject({ missing: 1 })
    expect(await holder()).toBe("ann")
    await database.pool.query(
      "update domain_proofs set lost_at = now() - interval '3 days' where lost_at is not null",
    )
    await recheck()
    expect(await holder()).toBe("nobody")
  })

  test("a bot without one has nothing to check, and asks no name server", async () => {
    const before = asked()
    expect(await check(other)).toMatchObject({ status: 400 })
    expect(asked()).toBe(before)
  })
})
