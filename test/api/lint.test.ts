/** Checking bots over REST, dry runs of imports and updates, and what publishing makes of findings. */
import { describe, expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, block, bot, group, link, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url, PARLEY_DEFAULT_PLAN: "PRO" })
const { send } = server

const { workspaceId } = server

const faulty = bot(
  { variables: { Spare: null } },
  group("Hello", say("Hi"), block("hologram"), say("Which?", { to: "Choice" })),
  group(
    "Choice",
    ask.choice([{ content: "A", outgoingEdgeId: "gone" }, "B"]),
    say("x", { to: "Empty" }),
  ),
  group("Empty"),
)
// One more edge that nothing leaves by.
const left = { id: "left", from: { blockId: "deleted" }, to: { groupId: "gHello" } }
const dangling = { ...faulty, edges: [...faulty.edges, left] }

const lint = (body: object) => send("POST", "/api/v1/bots/lint", { body })
const rulesOf = (findings: unknown) => (findings as { rule: string }[]).map(({ rule }) => rule)

async function imported(raw: object): Promise<string> {
  const { body } = await send("POST", "/api/v1/bots/import", { body: { workspaceId, bot: raw } })
  return (body.bot as { id: string }).id
}

async function countBots(): Promise<number> {
  const { body } = await send("GET", `/api/v1/bots?workspaceId=${workspaceId}`)
  return (body.bots as unknown[]).length
}

const everyRule = [
  "dangling-edge",
  "unsupported-block",
  "dangling-edge",
  "empty-group",
  "unused-variable",
]

describe("lint", () => {
  test("returns the findings of a bot in the body", async () => {
    const { status, body } = await lint({ bot: dangling })
    expect(status).toBe(200)
    expect(body).toMatchObject({ errorCount: 0, warningCount: 5 })
    expect(rulesOf(body.findings)).toEqual(everyRule)
    expect((body.findings as unknown[])[1]).toEqual({
      rule: "unsupported-block",
      severity: "warning",
      pointer: "/groups/0/blocks/1/type",
      place: 'Group "Hello" › block 2 "hologram"',
      message: 'Blocks of type "hologram" are skipped',
      remedy: "Replace the block with supported ones.",
    })
  })

  test("returns the same for a stored bot", async () => {
    const botId = await imported(dangling)
    expect((await lint({ botId })).body).toEqual((await lint({ bot: dangling })).body)
  })

  test("takes anything for a bot", async () => {
    for (const raw of [null, 5, "bot", [], {}, { groups: 5 }]) {
      const { status, body } = await lint({ bot: raw })
      expect([status, (body.errorCount as number) > 0]).toEqual([200, true])
    }
  })

  test("knows credentials and bots of the workspace", async () => {
    const raw = bot(
      group(
        "A",
        block("Email", { credentialsId: "foreign", recipients: ["a@b.example"] }),
        link("elsewhere"),
      ),
    )
    expect((await lint({ bot: raw })).body.findings).toEqual([])
    expect(rulesOf((await lint({ bot: raw, workspaceId })).body.findings)).toEqual([
      "missing-credential",
      "missing-jump-target",
    ])
    const linking = bot(group("A", link(await imported(dangling))))
    expect((await lint({ bot: linking, workspaceId })).body.findings).toEqual([])
  })

  test("reveals nothing about the workspace to viewers of a shared bot", async () => {
    const botId = await imported(bot(group("A", link("elsewhere"))))
    const settings = { publicShare: { isEnabled: true } }
    await send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { settings } } })
    const { token } = await createAccount(database, { email: "eve@example.com" })
    expect(rulesOf((await lint({ botId })).body.findings)).toEqual(["missing-jump-target"])
    const seen = await send("POST", "/api/v1/bots/lint", { token, body: { botId } })
    expect(seen).toMatchObject({ status: 200, body: { findings: [] } })
  })

  test("needs a token, one bot, and one that the caller may see", async () => {
    const body = { bot: dangling }
    expect((await send("POST", "/api/v1/bots/lint", { body, token: null })).status).toBe(401)
    expect((await lint({})).status).toBe(400)
    expect((await lint({ ...body, botId: "any" })).status).toBe(400)
    expect((await lint({ botId: "unknown" })).status).toBe(404)
    expect((await lint({ ...body, workspaceId: "unknown" })).status).toBe(404)
  })
})

describe("a dry run", () => {
  test("of an import returns its result and writes nothing", async () => {
    const before = await countBots()
    const body = { workspaceId, bot: dangling }
    const dry = await send("POST", "/api/v1/bots/import?dryRun=true", { body })
    expect(dry.status).toBe(200)
    expect(dry.body.bot).toMatchObject({
      version: "6.1",
      workspaceId,
      variables: [{ name: "Spare" }],
    })
    expect(rulesOf(dry.body.findings)).toEqual(everyRule)
    const again = await send("POST", "/api/v1/bots/import", { body: { ...body, dryRun: true } })
    expect(again.body.findings).toEqual(dry.body.findings)
    expect(await countBots()).toBe(before)
    const { id } = dry.body.bot as { id: string }
    expect((await send("GET", `/api/v1/bots/${id}`)).status).toBe(404)
  })

  test("of an update returns its result and writes nothing", async () => {
    const id = await imported(bot(group("A", say("Hi"))))
    const path = `/api/v1/bots/${id}`
    const before = (await send("GET", path)).body.bot
    const body = { bot: { groups: dangling.groups, name: "Other", publicId: "dry-run" } }
    const dry = await send("PATCH", `${path}?dryRun=true`, { body })
    expect(dry.body.bot).toMatchObject({ id, name: "Other", publicId: "dry-run" })
    expect(rulesOf(dry.body.findings)).toContain("unsupported-block")
    expect((await send("GET", path)).body.bot).toEqual(before)
    const free = await send("GET", "/api/v1/bots/publicIdAvailability?publicId=dry-run")
    expect(free.body).toEqual({ isAvailable: true })
  })

  test("refuses what the run would refuse", async () => {
    const id = await imported(bot(group("A", say("Hi"))))
    const path = `/api/v1/bots/${id}?dryRun=true`
    const stale = { bot: { name: "x", updatedAt: "2001-01-01T00:00:00.000Z" } }
    expect((await send("PATCH", path, { body: stale })).status).toBe(409)
    expect((await send("PATCH", path, { body: { bot: { publicId: "No" } } })).status).toBe(400)
    await send("PATCH", `/api/v1/bots/${id}`, { body: { bot: { publicId: "taken" } } })
    const other = await imported(bot(group("A", say("Hi"))))
    const taken = { bot: { publicId: "taken" } }
    const refused = await send("PATCH", `/api/v1/bots/${other}?dryRun=true`, { body: taken })
    expect(refused).toMatchObject({ status: 409, body: { code: "CONFLICT" } })
    const wrong = { workspaceId, bot: { ...dangling, groups: [{ id: "g", blocks: [5] }] } }
    const issue = { pointer: "/bot/groups/0/blocks/0", place: "Group 1 › block 1" }
    expect(
      (await send("POST", "/api/v1/bots/import?dryRun=true", { body: wrong })).body,
    ).toMatchObject({
      status: 400,
      issues: [issue],
    })
  })

  test("is no run only when it is asked for", async () => {
    const before = await countBots()
    const body = { workspaceId, bot: dangling }
    const { body: real } = await send("POST", "/api/v1/bots/import?dryRun=false", { body })
    expect(real).not.toHaveProperty("findings")
    expect(await countBots()).toBe(before + 1)
    const odd = await send("POST", "/api/v1/bots/import?dryRun=perhaps", { body })
    expect(odd.status).toBe(400)
  })
})

describe("publishing", () => {
  test("a bot with dangling edges, an empty group, an unknown block and an unused variable gives four warnings", async () => {
    const { status, body } = await send("POST", `/api/v1/bots/${await imported(dangling)}/publish`)
    expect(status).toBe(200)
    expect(body.warnings).toMatchObject([
      { rule: "dangling-edge", count: 2, place: 'Edge 4 "left"' },
      { rule: "unsupported-block", count: 1, place: 'Group "Hello" › block 2 "hologram"' },
      { rule: "empty-group", count: 1, place: 'Group "Empty"' },
      { rule: "unused-variable", count: 1, place: 'Variable 1 "Spare"' },
    ])
    const chat = await send("POST", `/api/v1/bots/${body.publicId}/startChat`, { body: {} })
    expect(chat.body).toMatchObject({ messages: [{}, {}], input: { type: "choice input" } })
  })

  test("a sound bot gives none", async () => {
    const { body } = await send(
      "POST",
      `/api/v1/bots/${await imported(bot(group("A", say("Hi"))))}/publish`,
    )
    expect(body).not.toHaveProperty("warnings")
  })
})

describe("a refused flow", () => {
  test("is reported by pointer and place, in an import, an update and a preview alike", async () => {
    const raw = JSON.parse(JSON.stringify(bot(group("Contact", say("Hi"), ask.email()))))
    raw.groups[0].blocks[1].options.labels = 5
    const id = await imported(bot(group("A", say("Hi"))))
    const refusals = [
      await send("POST", "/api/v1/bots/import", { body: { workspaceId, bot: raw } }),
      await send("PATCH", `/api/v1/bots/${id}`, { body: { bot: { groups: raw.groups } } }),
      await send("POST", `/api/v1/bots/${id}/preview/startChat`, { body: { bot: raw } }),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(400)
      expect(body.issues).toEqual([
        {
          message: "must be an object, not a number",
          path: ["bot", "groups", 0, "blocks", 1, "options", "labels"],
          pointer: "/bot/groups/0/blocks/1/options/labels",
          code: "invalid_type",
          place: 'Group "Contact" › block 2 "email input"',
        },
      ])
    }
  })
})
