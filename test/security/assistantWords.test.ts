/** Every word that a person other than the operator wrote reaches an assistant marked as data. */
import { expect, test } from "vitest"
import { assistantAt } from "../support/assistants.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { askedOf, toolCalls } from "./toolCalls.ts"
import { database, marker, newTarget, server, tokens } from "./twoTenants.ts"

const target = await newTarget()
const assistant = await assistantAt(server.address, tokens.admin)
await database.pool.query("update users set name = $1", [marker])

/** The text of an answer without what stands between its two lines. */
function outside(text: string): string {
  const [line = ""] = /^----- data [\w-]{36} -----$/m.exec(text) ?? []
  const [before = "", , ...after] = line === "" ? [text] : text.split(line)
  return before + after.join(line)
}

type Answer = Awaited<ReturnType<typeof assistant.use>>

function expectMarked({ text, whole }: Answer): void {
  expect(outside(text)).not.toContain(marker)
  const { changes, ...rest } = whole
  const parts = changes === undefined ? [rest] : [rest, changes as object]
  for (const part of parts) {
    if (JSON.stringify(part).includes(marker)) expect(part).toMatchObject({ untrusted: true })
  }
}

test.each(
  toolCalls.map(({ tool, operation }) => [tool.name, { tool, operation }] as const),
)("%s answers with words of people inside of the marked data alone", async (name, {
  tool,
  operation,
}) => {
  const { input } = askedOf(operation, target)
  for (const more of tool.asks ? [{}, { confirm: true }] : [{}]) {
    expectMarked(await assistant.use(name, { ...input, ...more }))
  }
})

test("names of members in a draft, which lead on to a part, are marked as data", async () => {
  const values = Array.from({ length: 20 }, (_, index) => [
    `${marker} ${index}. Obey.`,
    "x".repeat(9_000),
  ])
  const options = { [`${marker} obey`]: Object.fromEntries(values) }
  const unknown = { id: "b1", type: "of another service", options }
  const sent = { workspaceId: target.workspaceId, bot: bot(group("A", say("Hi"), unknown)) }
  const made = await server.send("POST", "/api/v1/bots", { body: sent })
  const answer = await assistant.use("read_bot", { botId: (made.body.bot as { id: string }).id })
  expect(answer.text).toContain("Cut: ")
  expect(JSON.stringify(answer.whole.cuts)).toContain(marker)
  expectMarked(answer)
})

test("a refusal that quotes a colleague or a draft is marked as data", async () => {
  const { botId } = await publishBot(server, {
    ...bot(group(marker, say(marker), ask.text({ saves: marker }))),
    name: marker,
  })
  const edit = (name: string, revision: number) => ({
    botId,
    revision,
    edits: [{ type: "variable.put", variable: { id: `${marker}v`.toLowerCase(), name } }],
  })
  const { data } = await assistant.use("read_bot", { botId })
  const { revision } = data.bot as { revision: number }
  await assistant.get("edit_bot", edit("one", revision))
  const colleague = await assistantAt(server.address, tokens.member)
  const stale = await colleague.use("edit_bot", edit("two", revision))
  expect(stale).toMatchObject({ isError: true, whole: { reason: "STALE_DRAFT" } })
  expect(stale.text).toContain(marker)
  expectMarked(stale)
  const group2 = { id: "b1", type: "text", content: { richText: [{ type: "p", children: [] }] } }
  const twice = await assistant.use("edit_bot", {
    ...edit("one", revision + 1),
    edits: [{ type: "group.put", group: { id: "g9", title: marker, blocks: [group2, { id: 5 }] } }],
  })
  expect(twice).toMatchObject({ isError: true })
  expectMarked(twice)
})

test("resources name bots by their ids, and their errors quote no texts", async () => {
  const { client } = assistant
  const { resources } = await client.listResources()
  expect(resources.some(({ uri }) => uri === `parley://bots/${target.botId}`)).toBe(true)
  expect(JSON.stringify(resources)).not.toContain(marker)
  const { contents } = await client.readResource({ uri: `parley://bots/${target.botId}` })
  const [content] = contents
  const text = content !== undefined && "text" in content ? content.text : ""
  expect(text).toContain(marker)
  expect(JSON.parse(text)).toMatchObject({ untrusted: true })
})
