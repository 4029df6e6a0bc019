/** Members that no bot has are left out of it, and the answer says where they stood. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ DATABASE_URL: await testDatabaseUrl() })
const { workspaceId } = server

const flow = bot(group("A", ask.text({ saves: "Name" })))
const labelled = bot(group("A", ask.text({ saves: "Name", labels: { button: "Go" } })))
const misspelt = {
  ...(JSON.parse(JSON.stringify(labelled).replace('"button"', '"buton"')) as typeof labelled),
  setings: {},
}
const inFlow = "/groups/0/blocks/0/options/labels/buton"

async function dropped(method: string, path: string, body: object) {
  const reply = await server.send(method, `/api/v1${path}`, { body })
  expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).toBe(200)
  const warnings = (reply.body.warnings ?? []) as { rule: string; pointer: string }[]
  expect(warnings.filter(({ rule }) => rule !== "unknown-member")).toEqual([])
  return warnings.map(({ pointer }) => pointer)
}

async function freshBot() {
  const { body } = await server.send("POST", "/api/v1/bots", { body: { workspaceId, bot: flow } })
  return body.bot as { id: string }
}

test.each([
  ["an import", "POST", "/bots/import", { workspaceId, bot: misspelt }],
  ["an import as a dry run", "POST", "/bots/import?dryRun=1", { workspaceId, bot: misspelt }],
  ["a new bot", "POST", "/bots", { workspaceId, bot: misspelt }],
])("%s names them", async (_what, method, path, body) => {
  expect(await dropped(method, path, body)).toEqual([inFlow, "/setings"])
})

test("a change of a bot names them, as a dry run, too", async () => {
  const { id } = await freshBot()
  const body = { bot: { groups: misspelt.groups, nmae: "x" } }
  for (const path of [`/bots/${id}`, `/bots/${id}?dryRun=true`]) {
    expect(await dropped("PATCH", path, body)).toEqual([inFlow, "/nmae"])
  }
})

test("a bot goes back and forth without a word", async () => {
  const { id } = await freshBot()
  const { body } = await server.send("GET", `/api/v1/bots/${id}`)
  expect(await dropped("PATCH", `/bots/${id}`, { bot: body.bot })).toEqual([])
  expect(await dropped("POST", "/bots/import", { workspaceId, bot: body.bot })).toEqual([])
})

test("an export of before version 3 is named as such", async () => {
  const old = { name: "Old", blocks: [{ id: "b", title: "G", steps: [] }], edges: [] }
  const reply = await server.send("POST", "/api/v1/bots/import", {
    body: { workspaceId, bot: old },
  })
  expect(reply).toMatchObject({
    status: 400,
    body: {
      issues: [
        { path: ["bot", "blocks"], message: expect.stringContaining("older than version 3") },
      ],
    },
  })
})
