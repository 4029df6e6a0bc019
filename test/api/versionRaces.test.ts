/** Eight callers publish, roll back, unpublish, restore and change one bot at once: the short drill. */
import { expect, test } from "vitest"
import { createDice } from "../support/dice.ts"
import { publishBot } from "../support/publish.ts"
import { saying } from "../support/saying.ts"
import { testServer } from "../support/server.ts"
import { type Call, type CallerRecord, changeBot } from "../support/versions/callers.ts"
import { judgeVersions } from "../support/versions/judge.ts"

const server = await testServer({ PARLEY_RATE_LIMITS: "off" })

const call: Call = (method, path, body) =>
  server.send(method, `/api/v1${path}`, body === undefined ? {} : { body })

test("no draft is lost, and the history explains what is live", async () => {
  const { botId } = await publishBot(server, { version: "6.1", ...saying("first") })
  const records = await Promise.all(
    Array.from({ length: 8 }, (_, index) => {
      const random = createDice(1_000 + index * 7_919).fraction
      return changeBot({ call, botId, name: `${index}`, random }, (done) => done === 25)
    }),
  )
  const kinds = new Set(records.flatMap(({ changes }) => changes.map(({ kind }) => kind)))
  expect([...kinds].toSorted()).toEqual(["patch", "publish", "restore", "rollback", "unpublish"])
  expect(await judgeVersions(call, botId, records)).toEqual([])
  expect(await judgeVersions(call, botId, withoutSome(records))).not.toEqual([])
})

/** Acknowledged changes less, which the judge has to notice: of a kind that is never refused. */
function withoutSome([first, ...others]: readonly CallerRecord[]): CallerRecord[] {
  const changes = first?.changes.filter(({ kind }) => kind !== "publish") ?? []
  return [{ unexpected: [], changes }, ...others]
}
