/** Traces of conversations: what chats did, as it is kept with their turns. */
import { afterAll, describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { maxShown } from "../../src/engine/turn/showing.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say, set, when } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { type PublishedBot, publishBot } from "../support/publish.ts"
import { talkTo } from "../support/recordedChats.ts"
import { testServer } from "../support/server.ts"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl, PARLEY_ALLOW_HOSTS: "127.0.0.1" })
const database = await openDatabase({ url: databaseUrl, poolSize: 1 })
afterAll(() => database.close())
const peer = await startPeer()

const talk = (published: PublishedBot, ...texts: string[]) => talkTo(server, published, ...texts)

describe("11.8 a trace", () => {
  test("has the blocks of each turn with their types and edges", async () => {
    const flow = bot(
      group(
        "Start",
        say("Hi", { id: "hi" }),
        ask.text({ saves: "Name", id: "name", to: "Choice" }),
      ),
      group(
        "Choice",
        when([["Name", "Equal to", "Ann"]], { to: "Ann" }),
        say("Other", { id: "other" }),
      ),
      group("Ann", say("Ann!", { id: "ann" }), ask.text({ id: "more" })),
    )
    const chat = await talk(await publishBot(server, flow), "Ann")
    const { isTraced, turns } = await chat.trace()
    expect(isTraced).toBe(true)
    expect(turns.map(({ blocks }) => blocks.map(({ blockId }) => blockId))).toEqual([
      ["hi", "name"],
      [expect.any(String), "ann", "more"],
    ])
    expect(turns[0]?.blocks[1]).toMatchObject({ type: "text input", groupTitle: "Start" })
    const [condition, ann] = turns[1]?.blocks ?? []
    const taken = flow.edges.find(({ id }) => id === condition?.edgeId)
    expect(taken?.to.groupId).toBe(flow.groups[2]?.id)
    expect(ann).not.toHaveProperty("edgeId")
  })

  test("has calls with their status and time, what went wrong, and no contents", async () => {
    peer.answers(json({ secret: "told by the peer" }, 503))
    const url = `${peer.url}/hidden-path?token=hidden`
    const flow = bot(
      group(
        "A",
        ask.text({ saves: "Name" }),
        block("Webhook", { webhook: { url, body: "hidden body" } }, { id: "hook" }),
        say("Done", { id: "done" }),
      ),
    )
    const published = await publishBot(server, flow)
    const chat = await talk(published, "Ann")
    const { turns } = await chat.trace()
    expect(turns[1]?.calls).toEqual([
      {
        blockId: "hook",
        kind: "http",
        status: "done",
        httpStatus: 503,
        ms: expect.any(Number),
      },
    ])
    expect(turns[1]?.errors).toMatchObject([{ description: "HTTP request failed" }])
    const [hook, done] = turns[1]?.blocks ?? []
    const ms = turns[1]?.calls[0]?.ms ?? 0
    expect(Date.parse(done?.at ?? "") - Date.parse(hook?.at ?? "")).toBe(ms)
    const { rows } = await database.pool.query(
      "select trace::text from result_steps where result_id = $1",
      [chat.resultId],
    )
    expect(JSON.stringify(rows)).not.toContain("hidden")
    expect(JSON.stringify(rows)).not.toContain("told by the peer")
  })

  test("has the variables that were set, with values that results keep", async () => {
    const flow = bot(
      { variables: { Shown: null, Quiet: null, Secret: null } },
      group(
        "A",
        set("Shown", "seen"),
        set("Quiet", "unseen"),
        set("Secret", "hidden-value"),
        say("{{Shown}} {{Secret}}"),
        ask.text(),
      ),
    )
    const secret = flow.variables.find(({ id }) => id === idOf("Secret"))
    if (secret) secret.isSessionVariable = true
    const chat = await talk(await publishBot(server, flow))
    const { turns } = await chat.trace()
    expect(JSON.stringify(turns)).not.toContain("hidden-value")
    expect(turns[0]?.variables).toEqual([
      expect.objectContaining({ name: "Shown", value: "seen", isSessionVariable: false }),
      expect.not.objectContaining({ value: expect.anything(), isSessionVariable: false }),
      expect.objectContaining({ name: "Quiet" }),
    ])
    const { rows } = await database.pool.query(
      "select trace::text, set_variables::text from result_steps where result_id = $1",
      [chat.resultId],
    )
    expect(JSON.stringify(rows)).not.toContain("unseen")
    expect(JSON.stringify(rows)).not.toContain("hidden-value")
  })

  test("is bounded, and says what is missing", async () => {
    const id = (index: number) => `block-${index}-${"x".repeat(50)}`
    const hops = Array.from({ length: 300 }, (_, index) =>
      group(`G${index}`, say(`${index}`, { id: id(index), to: `G${index + 1}` })),
    )
    const decision = when([["X", "Is empty"]], { to: "G0" })
    const flow = bot({}, group("Start", decision), ...hops, group("G300", ask.text()))
    const chat = await talk(await publishBot(server, flow))
    const { rows } = await database.pool.query(
      "select length(shown::text) as length from result_steps where result_id = $1",
      [chat.resultId],
    )
    expect(rows[0].length).toBeLessThan(1.5 * maxShown)
    const { turns } = await chat.trace()
    expect(turns[0]?.isCut).toBe(true)
    expect(turns[0]?.blocks[1]?.blockId).toBe(id(0))
    const { isExact, reasons } = await chat.transcript()
    expect({ isExact, reasons }).toEqual({
      isExact: false,
      reasons: [expect.stringContaining("are cut")],
    })
  })

  test("is bounded in calls, too", async () => {
    peer.answers(json({}))
    const url = `${peer.url}/`
    const hooks = Array.from({ length: 45 }, (_, index) =>
      block("Webhook", { webhook: { url } }, { id: `hook-${index}-${"x".repeat(50)}` }),
    )
    const chat = await talk(await publishBot(server, bot(group("A", ...hooks, ask.text()))))
    const { turns } = await chat.trace()
    expect(turns[0]).toMatchObject({ isCut: true })
    expect(turns[0]?.calls.length).toBeLessThan(45)
    expect(turns[0]?.blocks).toHaveLength(46)
  })
})

describe("a conversation that is too long for an answer", () => {
  const refused = { status: 422, body: { message: "The conversation is too long to read" } }
  const read = (botId: string, resultId: string, what: string) =>
    server.send("GET", `/api/v1/bots/${botId}/results/${resultId}/${what}`)

  const long = "repeat('x', 1000000)"
  test.each([
    ["answers", "answers (result_id, idx, block_id, content)", `'gone', ${long}`],
    [
      "attachments",
      "answers (result_id, idx, block_id, content, attached_file_urls)",
      `'gone', '', to_jsonb(array[${long}])`,
    ],
    ["ways", "result_steps (result_id, step, edge_ids)", `array[${long}]`],
  ])("by its %s has neither trace nor transcript", async (_, table, values) => {
    const published = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))
    const { resultId } = await talk(published, "Ann")
    const readBoth = () =>
      Promise.all(["trace", "transcript"].map((what) => read(published.botId, resultId, what)))
    for (const { status } of await readBoth()) expect(status).toBe(200)
    await database.pool.query(
      `insert into ${table} select $1, 1000 + n, ${values} from generate_series(1, 17) n`,
      [resultId],
    )
    for (const answer of await readBoth()) expect(answer).toMatchObject(refused)
  })

  test.each(["trace", "transcript"])("by the blocks that it passed has no %s", async (what) => {
    const published = await publishBot(server, bot(group("A", say("Hi"), ask.text())))
    const { resultId } = await talk(published)
    await database.pool.query(
      `insert into result_steps (result_id, step, shown)
      select $1, 1001, jsonb_agg('a'::text) from generate_series(1, 50001)`,
      [resultId],
    )
    expect(await read(published.botId, resultId, what)).toMatchObject(refused)
  })
})
