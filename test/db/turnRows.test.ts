/** The rows that a turn writes beside its session: answers, steps, logs, and those of linked bots. */
import { describe, expect, test } from "vitest"
import { saveTurn, toJsonb } from "../../src/db/chats/sessions.ts"
import { failureOf } from "../../src/db/connection/databaseFailures.ts"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { answersOf, openingTurn, resultOf, stateOf } from "../support/turns.ts"

const db = await testDatabase()
const { kysely } = db

describe("answers, steps and logs", () => {
  test("are stored as given, with the time of the turn unless they have their own", async () => {
    const turn = openingTurn()
    const logId = newUuid()
    await saveTurn(db, {
      ...turn,
      rows: {
        ...turn.rows,
        answers: [
          { idx: 0, blockId: "b0", content: "a", createdAt: "2020-01-02T03:04:05.678Z" },
          { idx: 1, blockId: "b1", content: "b", attachedFileUrls: ["https://a.example/x"] },
        ],
        step: { step: 3, edgeIds: ["e,1", 'e"2'], setVariables: [{ i: 0, value: ["x"] }] },
        logs: [{ id: logId, status: "error", description: "d", details: "long", context: "c" }],
      },
    })
    const { resultId } = turn
    const answers = await kysely
      .selectFrom("answers")
      .selectAll()
      .where("resultId", "=", resultId)
      .orderBy("idx")
      .execute()
    expect(answers[0]?.createdAt).toEqual(new Date("2020-01-02T03:04:05.678Z"))
    expect(answers[0]?.attachedFileUrls).toBeNull()
    expect(Math.abs((answers[1]?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(answers[1]?.attachedFileUrls).toEqual(["https://a.example/x"])
    expect(
      await kysely.selectFrom("resultSteps").selectAll().where("resultId", "=", resultId).execute(),
    ).toMatchObject([
      { step: 3, edgeIds: ["e,1", 'e"2'], setVariables: [{ i: 0, value: ["x"] }], shown: null },
    ])
    expect(
      await kysely.selectFrom("logs").selectAll().where("resultId", "=", resultId).execute(),
    ).toMatchObject([
      { id: logId, status: "error", description: "d", details: "long", context: "c" },
    ])
  })

  test("that two chats of one result number alike are all kept, in order of arrival", async () => {
    const turn = openingTurn()
    const rowsOf = (content: string) => ({
      ...turn.rows,
      answers: [{ idx: 0, blockId: "b", content, shown: [{ b: "bubble", t: content }] }],
      step: { step: 0, edgeIds: [content], shown: [content] },
    })
    await saveTurn(db, { ...turn, rows: rowsOf("first") })
    const sessionId = newSessionId(turn.resultId)
    expect(await saveTurn(db, { ...turn, sessionId, rows: rowsOf("second") })).toBe(true)
    expect(await answersOf(db, turn.resultId)).toEqual([
      [0, "first"],
      [1, "second"],
    ])
    const steps = await kysely
      .selectFrom("resultSteps")
      .select("edgeIds")
      .where("resultId", "=", turn.resultId)
      .orderBy("step")
      .execute()
    expect(steps).toEqual([{ edgeIds: ["first"] }, { edgeIds: ["second"] }])
    const shownIn = async (table: "answers" | "resultSteps") => {
      const rows = kysely.selectFrom(table).select("shown").where("resultId", "=", turn.resultId)
      return (await rows.orderBy("createdAt").execute()).map(({ shown }) => shown)
    }
    const told = ["first", "second"].map((content) => [{ b: "bubble", t: content }])
    expect(await shownIn("answers")).toEqual(told)
    expect(await shownIn("resultSteps")).toEqual([["first"], ["second"]])
  })

  test("are numbered after those of their own result alone", async () => {
    const [turn, long] = [openingTurn(), openingTurn()]
    const answerOf = (idx: number) => ({ idx, blockId: "b", content: String(idx) })
    const answers = [0, 5].map(answerOf)
    await saveTurn(db, { ...long, rows: { ...long.rows, answers, step: { step: 7 } } })
    const rows = { ...turn.rows, answers: [answerOf(0)], step: { step: 0 } }
    await saveTurn(db, { ...turn, rows })
    await saveTurn(db, { ...turn, sessionId: newSessionId(turn.resultId), rows })
    expect((await answersOf(db, turn.resultId)).map(([idx]) => idx)).toEqual([0, 1])
    const steps = kysely.selectFrom("resultSteps").select("step").orderBy("step")
    const own = await steps.where("resultId", "=", turn.resultId).execute()
    expect(own.map(({ step }) => step)).toEqual([0, 1])
  })

  test.skipIf(isOnCluster)(
    "that two chats of one result store at once are all kept, or refused as a whole",
    async () => {
      const turn = openingTurn()
      const rowsOf = (...contents: string[]) => ({
        ...turn.rows,
        answers: contents.map((content, idx) => ({ idx, blockId: "b", content })),
      })
      const storeDuring = async (uncommitted: object, rows: ReturnType<typeof rowsOf>) => {
        const client = await db.pool.connect()
        try {
          await client.query("begin")
          const values = [turn.resultId, newSessionId(turn.resultId), "{}", uncommitted]
          await client.query("select save_turn($1, $2, null, $3, $4, null, null, null)", values)
          const next = { ...turn, sessionId: newSessionId(turn.resultId), rows }
          const saving = saveTurn(db, next).catch(failureOf)
          await untilLockWaits(db.pool)
          await client.query("commit")
          return [await saving, (await stateOf(db, next))?.[0]]
        } finally {
          client.release()
        }
      }
      const [saved, refused] = [
        [true, '{"v":1}'],
        ["contended", undefined],
      ]
      expect(await storeDuring(rowsOf("a", "b"), rowsOf("c", "d"))).toEqual(saved)
      expect(await storeDuring(rowsOf("e"), rowsOf("f", "g"))).toEqual(refused)
      expect((await answersOf(db, turn.resultId)).map(([, content]) => content).join("")).toBe(
        "abcde",
      )
    },
  )

  test("of linked bots go to their own results, and back with the turn when it fails", async () => {
    const turn = openingTurn()
    const [one, other] = [newUuid(), newUuid()]
    const childOf = (resultId: string) => ({
      resultId,
      botId: `child-${resultId}`,
      versionId: newUuid(),
      result: { variables: [], hasStarted: true, isCompleted: true },
      answers: [{ idx: 0, blockId: "b", content: resultId }],
      step: { step: 0, edgeIds: [] },
      logs: [{ id: newUuid(), status: "info", description: "x" }],
    })
    const children = [childOf(one), childOf(other)]
    await saveTurn(db, { ...turn, rows: { ...turn.rows, children } })
    for (const id of [one, other]) {
      expect(await resultOf(db, id)).toMatchObject({ botId: `child-${id}`, isCompleted: true })
      expect(await answersOf(db, id)).toEqual([[0, id]])
    }
    expect(await answersOf(db, turn.resultId)).toEqual([])

    const broken = { ...childOf(one), versionId: "not a uuid" }
    const rows = { ...turn.rows, children: [childOf(other), broken] }
    await expect(saveTurn(db, { ...turn, revision: 0, rows })).rejects.toThrow(/uuid/)
    expect(await stateOf(db, turn)).toEqual(['{"v":1}', 0])
    expect(await answersOf(db, other)).toHaveLength(1)
  })
})

test("text that PostgreSQL cannot hold is stored without it", async () => {
  const turn = openingTurn()
  const content = 'nul \0 half \ud83d whole \u{1f600} written \\u0000 "quoted"'
  const rows = { ...turn.rows, answers: [{ idx: 0, blockId: "b", content }] }
  expect(await saveTurn(db, { ...turn, rows })).toBe(true)
  expect(await answersOf(db, turn.resultId)).toEqual([
    [0, 'nul  half \ufffd whole \u{1f600} written \\u0000 "quoted"'],
  ])
  expect(toJsonb({ a: "plain" })).toBe('{"a":"plain"}')
})
