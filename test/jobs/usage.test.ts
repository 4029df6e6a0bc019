/** Counting chats and what follows: every started chat once, in its month, and the limits of plans. */
import { beforeEach, describe, expect, test } from "vitest"
import { firstUuidAt } from "../../src/lib/ids.ts"
import { usualPlanLimits } from "../../src/lib/plans.ts"
import { createLog } from "../../src/telemetry/log.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { insertDraft, insertTeam, recordChat } from "../support/people.ts"

const db = await testDatabase()
const { pool } = db

let workspaceId: string
let botId: string

beforeEach(async () => {
  await pool.query("truncate results, answers, chat_sessions, workspace_usage, usage_hours")
  await pool.query("delete from workspaces")
  workspaceId = await insertTeam(db, [])
  await setWorkspace("plan = 'FREE'")
  botId = await insertDraft(db, { workspaceId })
})

const at = (text: string) => new Date(`${text}Z`)

async function chats(number: number, startedAt: Date, hasStarted = true): Promise<string[]> {
  const result = { variables: [], hasStarted, isCompleted: false }
  const made = Array.from({ length: number }, () =>
    recordChat(db, { botId, startedAt, rows: { result } }),
  )
  return (await Promise.all(made)).map(({ resultId }) => resultId)
}

async function countAt(text: string, planLimits = usualPlanLimits) {
  return await runJob(db, "count_usage", { now: () => at(text).getTime(), planLimits })
}

async function usage(): Promise<Record<string, number>> {
  const { rows } = await pool.query(
    "select period_start, chats from workspace_usage where workspace_id = $1 order by 1",
    [workspaceId],
  )
  return Object.fromEntries(rows.map((row) => [row.period_start, row.chats]))
}

async function setWorkspace(assignments: string): Promise<void> {
  await pool.query(`update workspaces set ${assignments} where id = $1`, [workspaceId])
}

async function isQuarantined(): Promise<boolean> {
  const { rows } = await pool.query("select is_quarantined from workspaces where id = $1", [
    workspaceId,
  ])
  return rows[0].is_quarantined
}

describe("counting", () => {
  test("started chats count, archived ones too, views do not", async () => {
    const [first] = await chats(3, at("2031-05-10T10:00:00"))
    await chats(2, at("2031-05-10T10:00:00"), false)
    await pool.query("update results set is_archived = true where result_id = $1", [first])
    await recordChat(db, { botId: "of nobody", startedAt: at("2031-05-10T10:00:00") })
    await countAt("2031-05-10T12:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 3 })
  })

  test("a chat counts when it starts, though its result was looked at before", async () => {
    const [view] = await chats(1, at("2031-05-10T10:00:00"), false)
    await countAt("2031-05-10T12:00:00")
    expect(await usage()).toEqual({})
    await pool.query("update results set has_started = true where result_id = $1", [view])
    await countAt("2031-05-12T09:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 1 })
  })

  test("every chat counts once over repeated counts, and settled ones are not read again", async () => {
    await chats(4, at("2031-05-02T10:00:00"))
    for (const day of ["02", "03", "04", "05", "20"]) {
      await chats(1, at(`2031-05-${day}T11:00:00`))
      await countAt(`2031-05-${day}T12:00:00`)
      await countAt(`2031-05-${day}T12:05:00`)
    }
    expect(await usage()).toEqual({ "2031-05-01": 9 })
    await pool.query("truncate results")
    await countAt("2031-05-23T12:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 8 })
  })

  test("hours are read again while they are young, and then as their age doubles", async () => {
    const counted = async () => {
      const { rows } = await pool.query(
        "select chats from usage_hours where hour = '2031-05-10T10:00:00Z'",
      )
      return rows[0]?.chats[workspaceId]
    }
    await chats(1, at("2031-05-10T10:30:00"))
    const seen: [string, number | undefined][] = []
    for (const time of ["10T12:30", "10T12:55", "10T15:00", "10T15:50", "11T10:00", "12T11:00"]) {
      await countAt(`2031-05-${time}:00`)
      seen.push([time, await counted()])
      await chats(1, at("2031-05-10T10:30:00"))
    }
    expect(seen).toEqual([
      ["10T12:30", 1],
      ["10T12:55", 2],
      ["10T15:00", 2],
      ["10T15:50", 4],
      ["11T10:00", 5],
      // Nothing is remembered of an hour that is settled.
      ["12T11:00", undefined],
    ])
    expect(await usage()).toEqual({ "2031-05-01": 6 })
    await countAt("2031-05-20T12:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 6 })
  })

  test("a release that settles by the minute counts beside this one", async () => {
    await chats(2, at("2031-05-10T10:10:00"))
    await chats(3, at("2031-05-10T10:50:00"))
    await countAt("2031-05-10T12:00:00")
    // Settled up to half past ten.
    await pool.query("update workspace_usage set settled = 2, watermark = $1", [
      firstUuidAt(at("2031-05-10T10:30:00").getTime()),
    ])
    await countAt("2031-05-12T10:35:00")
    expect(await usage()).toEqual({ "2031-05-01": 5 })
    await countAt("2031-05-20T12:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 5 })
  })

  test("months are apart, and the last one is counted to its end", async () => {
    await chats(2, at("2031-05-31T23:59:59.999"))
    const [late] = await chats(1, at("2031-05-31T23:00:00"), false)
    await chats(1, at("2031-06-01T00:00:00"))
    await countAt("2031-06-01T00:01:00")
    expect(await usage()).toEqual({ "2031-05-01": 2, "2031-06-01": 1 })
    await pool.query("update results set has_started = true where result_id = $1", [late])
    await countAt("2031-06-02T20:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 3, "2031-06-01": 1 })
  })

  test("a clock that is set back counts nothing twice", async () => {
    await chats(3, at("2031-05-10T10:00:00"))
    await countAt("2031-05-15T12:00:00")
    await countAt("2031-05-11T12:00:00")
    await countAt("2031-05-15T12:00:00")
    expect(await usage()).toEqual({ "2031-05-01": 3 })
  })
})

describe("limits", () => {
  const small = { ...usualPlanLimits, FREE: { chats: 4 }, PRO: { chats: 4 } }

  test("a free workspace is closed above one and a half times its limit", async () => {
    await chats(6, at("2031-05-10T10:00:00"))
    await countAt("2031-05-10T12:00:00", small)
    expect(await isQuarantined()).toBe(false)
    await chats(1, at("2031-05-10T11:00:00"))
    expect(await countAt("2031-05-10T12:05:00", small)).toMatchObject({ quarantined: 1 })
    expect(await isQuarantined()).toBe(true)
  })

  test("a paid one stays open above its limit, but not at a hard limit", async () => {
    await setWorkspace("plan = 'PRO'")
    await chats(20, at("2031-05-10T10:00:00"))
    await countAt("2031-05-10T12:00:00", small)
    expect(await isQuarantined()).toBe(false)
    await setWorkspace("chats_hard_limit = 20")
    await countAt("2031-05-10T12:05:00", small)
    expect(await isQuarantined()).toBe(true)
  })

  test("a limit of its own replaces that of the plan, 0 does not", async () => {
    await chats(7, at("2031-05-10T10:00:00"))
    await setWorkspace("custom_chats_limit = 5")
    await countAt("2031-05-10T12:00:00", small)
    expect(await isQuarantined()).toBe(false)
    await setWorkspace("custom_chats_limit = 0")
    await countAt("2031-05-10T12:05:00", small)
    expect(await isQuarantined()).toBe(true)
  })

  test("a new month opens workspaces closed by a count, and clears notices", async () => {
    await chats(7, at("2031-05-10T10:00:00"))
    await countAt("2031-05-31T12:00:00", small)
    expect(await isQuarantined()).toBe(true)
    expect(await countAt("2031-06-01T00:00:10", small)).toMatchObject({ released: 1 })
    expect(await isQuarantined()).toBe(false)
  })

  test("so does a larger limit, while an overdue payment keeps it closed", async () => {
    await chats(7, at("2031-05-10T10:00:00"))
    await countAt("2031-05-10T12:00:00", small)
    await setWorkspace("is_past_due = true, custom_chats_limit = 100")
    await countAt("2031-05-10T12:05:00", small)
    expect(await isQuarantined()).toBe(true)
    await setWorkspace("is_past_due = false")
    await countAt("2031-05-10T12:10:00", small)
    expect(await isQuarantined()).toBe(false)
  })

  test("workspaces closed by hand stay closed", async () => {
    await setWorkspace("is_quarantined = true")
    await chats(1, at("2031-05-10T10:00:00"))
    await countAt("2031-05-10T12:00:00", small)
    await countAt("2031-06-10T12:00:00", small)
    expect(await isQuarantined()).toBe(true)
  })

  test("notices are sent once a month when most and when all of the limit is used", async () => {
    const told = async () => {
      const { rows } = await pool.query(
        `select quota_first_email_sent_at is not null as most,
          quota_second_email_sent_at is not null as all from workspaces where id = $1`,
        [workspaceId],
      )
      return rows[0]
    }
    // The database's clock stamps notices, so this uses the current time.
    const now = new Date().toISOString().slice(0, 19)
    const twenty = { ...usualPlanLimits, FREE: { chats: 20 } }
    const levels: object[] = []
    const lines: string[] = []
    const log = createLog("warn", { write: (line) => lines.push(line) })
    const parts = { log, showQuota: (each: object) => levels.push(each), planLimits: twenty }
    const countNow = () => runJob(db, "count_usage", { ...parts, now: () => at(now).getTime() })
    await chats(15, at(now))
    await countNow()
    expect(await told()).toEqual({ most: false, all: false })
    await chats(1, at(now))
    await countNow()
    expect(await told()).toEqual({ most: true, all: false })
    expect(lines).toEqual([expect.stringContaining("has used 80 % of its chats")])
    expect(levels).toEqual([
      { most: 0, all: 0, closed: 0 },
      { most: 1, all: 0, closed: 0 },
    ])
    await chats(4, at(now))
    await countNow()
    expect(await told()).toEqual({ most: true, all: true })
    await setWorkspace(
      "quota_first_email_sent_at = '2001-01-01', quota_second_email_sent_at = '2001-01-01'",
    )
    await pool.query("truncate results, workspace_usage")
    await countAt(now, small)
    expect(await told()).toEqual({ most: false, all: false })
  })
})
