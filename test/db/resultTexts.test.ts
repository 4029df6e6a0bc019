/** Copies of what results say: a search that uses them finds what one that reads the results finds. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { PoolClient } from "pg"
import { describe, expect, test } from "vitest"
import { saveTurn } from "../../src/db/chats/sessions.ts"
import { folded } from "../../src/db/results/anySpelling.ts"
import { listIds } from "../../src/db/results/listing.ts"
import { fillTexts, listDueTexts, maxCopied } from "../../src/db/results/resultTexts.ts"
import { batchSize } from "../../src/lib/batches.ts"
import { firstUuidAt, newSessionId, newUuid } from "../../src/lib/ids.ts"
import { archiveResults } from "../../src/results/archiveResults.ts"
import { readResultPage } from "../../src/results/listResults.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"
import { createDice } from "../support/dice.ts"
import { runJob } from "../support/jobs.ts"
import { countLockWaits } from "../support/lockWaits.ts"
import { insertDraft, insertPerson, insertTeam, recordChat } from "../support/people.ts"
import { until } from "../support/waiting.ts"

// Some connections hold locks while others run into them.
const db = await testDatabase({ poolSize: 12 })
const owner = await insertPerson(db)
const workspaceId = await insertTeam(db, [[owner, "ADMIN"]])
const newBot = () => insertDraft(db, { workspaceId })

const hourMs = 3_600_000
const everyId = { fromId: firstUuidAt(0), beforeId: firstUuidAt(2 ** 48 - 1) }

/** Walks all pages of a search. */
async function search(botId: string, words: string, limit = 10, filter: object = {}) {
  const ids: string[] = []
  let startAt: string | undefined
  do {
    const asked = { botId, ...everyId, ...filter, search: words }
    const page = await readResultPage(db, asked, { startAt, limit })
    ids.push(...page.results.map(({ resultId }) => resultId))
    startAt = page.next
  } while (startAt !== undefined)
  return ids
}

/** The same by what the results say now. */
const searchPlainly = (botId: string, words: string, filter: object = {}) =>
  listIds(db, { botId, ...everyId, ...filter, search: words }, { limit: 100_000 })

const answersOf = (contents: readonly string[]) =>
  contents.map((content, idx) => ({ idx, blockId: "b", content }))

/** A turn of a chat that continues a result. */
const turnFor = (botId: string, resultId: string, ...contents: string[]) => {
  const result = { variables: [], hasStarted: true, isCompleted: false }
  const rows = { botId, versionId: newUuid(), result, answers: answersOf(contents) }
  const ids = { resultId, sessionId: newSessionId(resultId) }
  return { ...ids, revision: null, state: "{}", rows: { ...rows, continues: true as const } }
}

const answer = (...turn: Parameters<typeof turnFor>) => saveTurn(db, turnFor(...turn))

const record = async (botId: string, hoursAgo: number, ...contents: string[]) => {
  const startedAt = new Date(Date.now() - hoursAgo * hourMs)
  const rows = { answers: answersOf(contents) }
  return (await recordChat(db, { botId, startedAt, rows })).resultId
}

const archive = (botId: string, resultId: string) =>
  archiveResults({ db }, { botId, selection: [resultId], workspaceBotIds: [botId] })

/** Old results, the first one the oldest, each with `text` and its number as the value of a variable. */
const addMany = async (botId: string, count: number) => {
  await forgetTexts()
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, variables)
    select (lpad(to_hex($4::bigint + i), 12, '0') || '7' || substr(replace($2, '-', ''), 14))::uuid, $1,
      $2::uuid, true, jsonb_build_array(jsonb_build_object('value', 'Text ' || i || ' '))
    from generate_series(1, $3) i`,
    [botId, newUuid(), count, Date.now() - 48 * hourMs],
  )
}

/** As a crash does, and as it is before the first run of the job. */
const forgetTexts = () => db.pool.query("truncate result_texts, result_texts_until")

const textsOf = async (botId: string) => {
  const query = "select text, is_due from result_texts where bot_id = $1 order by result_id"
  return (await db.pool.query(query, [botId])).rows.map((row) => [row.text, row.is_due])
}

test("letters that a search finds for each other are copied as the same", () => {
  const wrong: string[] = []
  for (let code = 1; code < 0x11_0000; code++) {
    // Neither marks, which a search removes, nor halves of letters.
    if ((code >= 0x300 && code < 0x370) || (code >= 0xd800 && code < 0xe000)) continue
    const letter = String.fromCodePoint(code)
    const others = [letter.toLowerCase(), letter.toUpperCase()].filter(
      (form) => form !== letter && [...form].length === 1,
    )
    if (others.some((form) => folded(form) !== folded(letter))) wrong.push(letter)
  }
  expect(wrong).toEqual([])
})

const words = [
  "Zoë",
  "ZOE\u0308",
  "zoe",
  "ẞ",
  "ß",
  "ss",
  "ΟΔΟΣ",
  "οδος",
  "ı",
  "İ",
  "\u212a",
  "привет",
]
const texts = [...words, "ПРИВЕТ", "100%_\\", "a\nb", "שָׁלוֹם", "👩‍👩‍👧", "x".repeat(maxCopied)]

test("a search finds the current texts of results, after copies, changes, archivings and deletions", async () => {
  const [botId, other] = [await newBot(), await newBot()]
  const { below: pick } = createDice(7)
  const some = () => Array.from({ length: pick(4) }, () => texts[pick(texts.length)] ?? "")
  const known: string[] = []
  const begin = async () => known.push(await record(botId, pick(5), ...some()))
  const changes: ((resultId: string) => Promise<unknown>)[] = [
    begin,
    (resultId) => answer(botId, resultId, ...some()),
    (resultId) => archive(botId, resultId),
    () => runJob(db, "copy_texts"),
    () => record(other, 3, ...some()),
    (resultId) => {
      const child = { resultId, botId, versionId: newUuid(), answers: answersOf(some()) }
      return recordChat(db, { botId: other, rows: { children: [child] } })
    },
    () => {
      const variables = [{ id: "v", name: "V", value: [...some(), null] }]
      const result = { variables, hasStarted: pick(2) === 0, isCompleted: true }
      const startedAt = new Date(Date.now() - 4 * hourMs)
      return recordChat(db, { botId, startedAt, rows: { result, answers: [] } })
    },
  ]
  for (let round = 0; round < 8; round++) {
    for (let count = 0; count < 15; count++) {
      if (count < 5) await begin()
      else await changes[pick(changes.length)]?.(known[pick(known.length)] ?? "")
    }
    for (const each of [...words, "s", "no such words"]) {
      const found = await search(botId, each, 3)
      expect(found, `${round} ${each}`).toEqual(await searchPlainly(botId, each))
      const filter = { isCompleted: true, fromId: known[pick(known.length)] }
      expect(await search(botId, each, 3, filter)).toEqual(await searchPlainly(botId, each, filter))
    }
  }
  const copied = (await textsOf(botId)).filter(([text]) => text !== null)
  expect(copied.length).toBeGreaterThan(10)
})

describe("while a copy is made", () => {
  test("a change of its result voids it, and the next one has that", async () => {
    const botId = await newBot()
    const id = await record(botId, 3, "before")
    await answer(botId, id, "again")
    const due = await listDueTexts(db, everyId.fromId)
    await answer(botId, id, "later")
    await fillTexts(db, due)
    expect(await textsOf(botId)).toEqual([[null, true]])
    expect(await search(botId, "later")).toEqual([id])
    await runJob(db, "copy_texts")
    expect(await textsOf(botId)).toEqual([["BEFORE\nAGAIN\nLATER", false]])
  })

  test("a deletion of its result removes it", async () => {
    const botId = await newBot()
    const id = await record(botId, 3, "before")
    await answer(botId, id, "again")
    const due = await listDueTexts(db, everyId.fromId)
    await archive(botId, id)
    await fillTexts(db, due)
    expect(await textsOf(botId)).toEqual([])
  })

  /** Runs the job while a transaction is open, which ends as soon as the job waits for it. */
  const copyDuring = async (begin: (client: PoolClient) => Promise<unknown>) => {
    // No row yet: the job adds it.
    await forgetTexts()
    const client = await db.pool.connect()
    await client.query("begin")
    await begin(client)
    const waits = await countLockWaits(db.pool)
    let isDone = false
    const job = runJob(db, "copy_texts").finally(() => {
      isDone = true
    })
    await until(async () => isDone || (await countLockWaits(db.pool)) > waits)
    await client.query("commit")
    client.release()
    await job
  }

  test.skipIf(isOnCluster)("a turn that is being stored is waited for", async () => {
    const botId = await newBot()
    const id = await record(botId, 3, "before")
    await copyDuring((client) => {
      const { sessionId, rows } = turnFor(botId, id, "later")
      const values = [id, sessionId, "{}", JSON.stringify(rows)]
      return client.query("select save_turn($1, $2, null, $3, $4, null, null, null)", values)
    })
    expect(await search(botId, "later")).toEqual([id])
  })

  test.skipIf(isOnCluster)("a deletion that is under way is waited for", async () => {
    const botId = await newBot()
    const id = await record(botId, 3, "before")
    const deletions: Promise<unknown>[] = []
    await copyDuring(async (client) => {
      // It deletes from this one after the copies.
      await client.query("lock table deliveries in exclusive mode")
      deletions.push(archive(botId, id))
      await until(async () => (await countLockWaits(db.pool)) === 1)
    })
    await Promise.all(deletions)
    expect(await textsOf(botId)).toEqual([])
  })
})

describe("the job", () => {
  test("goes on where a run that was cut short has ended, and a search finds all meanwhile", async () => {
    const botId = await newBot()
    await addMany(botId, batchSize * 2 + 5)
    const stop = new AbortController()
    let calls = 0
    const now = () => {
      if (++calls === 2) stop.abort()
      return Date.now()
    }
    await expect(runJob(db, "copy_texts", { now, signal: stop.signal })).rejects.toThrow()
    const due = (await textsOf(botId)).map(([, isDue]) => isDue)
    expect(due).toEqual(due.map((_, index) => index >= batchSize))
    expect(due).toHaveLength(batchSize * 2)
    const found = await search(botId, "text 7", 1_000)
    expect(found).toEqual(await searchPlainly(botId, "text 7"))
    expect(found.length).toBeGreaterThan(100)
    await runJob(db, "copy_texts")
    expect((await textsOf(botId)).filter(([, isDue]) => isDue)).toEqual([])
    expect(await search(botId, "text 7", 1_000)).toEqual(found)
  })

  test("leaves young results alone, and those that are long", async () => {
    const botId = await newBot()
    await record(botId, 0.9, "young")
    await record(botId, 3, "x".repeat(maxCopied))
    await runJob(db, "copy_texts")
    expect(await textsOf(botId)).toEqual([[null, false]])
  })

  test("removes copies of results that processes of older versions have deleted", async () => {
    const botId = await newBot()
    const [gone, archived] = [await record(botId, 3, "a"), await record(botId, 3, "b")]
    const kept = await record(botId, 3, "c")
    await runJob(db, "copy_texts")
    await db.pool.query("delete from results where result_id = $1", [gone])
    await db.pool.query("update results set is_archived = true where result_id = $1", [archived])
    expect(await runJob(db, "remove_texts")).toEqual({ texts: 2 })
    expect((await textsOf(botId)).filter(([text]) => text !== null)).toEqual([["C", false]])
    await runJob(db, "copy_texts")
    expect(await textsOf(botId)).toEqual([["C", false]])
    expect(await search(botId, "c")).toEqual([kept])
  })
})

test("a search looks at many copies by the statement, and at void ones as at results", async () => {
  const botId = await newBot()
  await addMany(botId, 22_000)
  await runJob(db, "copy_texts")
  const query = "select result_id as id from results where bot_id = $1 order by result_id"
  const ids = (await db.pool.query(query, [botId])).rows.map(({ id }) => id)
  // Some thousand together, somewhere in between.
  await db.pool.query(
    "update result_texts set text = null where result_id > $1 and result_id <= $2",
    [ids[3_000], ids[6_000]],
  )
  const [oldest] = ids
  const filter = { botId, ...everyId, search: "text 1 " }
  const page = await readResultPage(db, filter, { limit: 10, now: () => 0 })
  expect(page.results.map(({ resultId }) => resultId)).toEqual([oldest])
  expect(page.next).toBeUndefined()
  expect(await search(botId, "text 40", 200)).toEqual(await searchPlainly(botId, "text 40"))
})

test("without copies, as after a crash, a search reads the results", async () => {
  const botId = await newBot()
  const id = await record(botId, 3, "before")
  await runJob(db, "copy_texts")
  await forgetTexts()
  expect(await search(botId, "before")).toEqual([id])
})

test("no other statements give results texts than save_turn, which voids the copies", async () => {
  const { rows } = await db.pool.query(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
      and pg_get_functiondef(p.oid) ~* '(insert into|update) (results|answers)\\M'`,
  )
  expect(rows).toEqual([{ name: "save_turn" }])
  const writes =
    /(insert into|update) (results|answers)\b|(insertInto|updateTable|mergeInto)\("(results|answers)"/
  const folder = fileURLToPath(new URL("../../src/", import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const found = files.filter(
    (name) => name.endsWith(".ts") && writes.test(readFileSync(folder + name, "utf8")),
  )
  // Both empty results.
  expect(found.toSorted()).toEqual(["db/chats/unanswered.ts", "db/results/results.ts"])
})
