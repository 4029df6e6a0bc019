/** Inactive workspaces: two letters to their ADMINs, then a suspension, and what counts as activity. */
import { beforeEach, describe, expect, test } from "vitest"
import { recordActivity } from "../../src/db/people/workspaces.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { usualPlanLimits } from "../../src/lib/plans.ts"
import type { Caller } from "../../src/people/caller.ts"
import { decideWorkspace } from "../../src/people/decideWorkspace.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { openMailbox } from "../support/mailbox.ts"
import { insertPerson, insertTeam } from "../support/people.ts"

const db = await testDatabase()
const { pool } = db
const { url, mails } = await openMailbox()

const publicUrl = "https://parley.example.com"
const serverAt = (port: number) => ({
  ...{ host: "127.0.0.1", port, isTlsEnabled: false, from: { email: "parley@example.com" } },
})
const server = serverAt(Number(new URL(url).port))
const created = Date.UTC(2031, 0, 1)
const dayMs = 86_400_000

/** Runs the job so many days after the workspace was created; letters go out after 90. */
const runAt = (days: number, parts: Parameters<typeof runJob>[2] = {}) =>
  runJob(db, "warn_inactive", {
    now: () => created + days * dayMs,
    inactivity: { afterDays: 90, server, publicUrl },
    ...parts,
  })

let ann: Caller
let workspaceId: string
beforeEach(async () => {
  mails.length = 0
  await pool.query("delete from workspaces")
  await pool.query("delete from audit_log")
  ann = await insertPerson(db)
  workspaceId = await insertTeam(db, [[ann, "ADMIN"]])
  await set("name = 'Shop', created_at = $2", new Date(created))
})

const set = (assignments: string, ...values: unknown[]) =>
  pool.query(`update workspaces set ${assignments} where id = $1`, [workspaceId, ...values])
const state = async () => {
  const { rows } = await pool.query("select * from workspaces where id = $1", [workspaceId])
  const { inactive_first_email_sent_at: first, inactive_second_email_sent_at: second } = rows[0]
  return {
    letters: [first, second].flatMap((at: Date | null) => (at ? [(+at - created) / dayMs] : [])),
    isSuspended: rows[0].is_suspended as boolean,
  }
}
const open = (letters: number[]) => ({ letters, isSuspended: false })
const letters = () => mails.map(({ to, text }) => ({ to, text: text.replaceAll("=\r\n", "") }))

describe("a workspace without activity", () => {
  test("gets a letter, another a third of the time later, and is suspended a third after that", async () => {
    expect(await runAt(89.9)).toEqual({ active: 0, first: 0, second: 0, suspended: 0 })
    expect(await runAt(90)).toEqual({ active: 0, first: 1, second: 0, suspended: 0 })
    expect(await state()).toEqual(open([90]))
    expect(await runAt(119.9)).toMatchObject({ first: 0, second: 0 })
    expect(await runAt(120)).toMatchObject({ first: 0, second: 1, suspended: 0 })
    expect(await runAt(149.9)).toMatchObject({ suspended: 0 })
    expect(await state()).toEqual(open([90, 120]))
    expect(await runAt(150)).toMatchObject({ suspended: 1 })
    expect((await state()).isSuspended).toBe(true)
    expect(mails.map(({ to }) => to)).toEqual([ann.email, ann.email])
    const [first, second] = letters()
    expect(first?.text).toContain("Subject: =?UTF-8?Q?Your_workspace_=22Shop=22_is_inactive")
    expect(first?.text).toContain("For 90 days")
    expect(first?.text).toContain("on May 31, 2031")
    expect(second?.text).toContain("For 120 days")
    expect(second?.text).toContain("on May 31, 2031")
    expect(second?.text).toContain(publicUrl)
    const { rows } = await pool.query("select operation, is_by_operator, target from audit_log")
    expect(rows).toEqual([
      { operation: "suspendInactive", is_by_operator: true, target: { workspaceId } },
    ])
  })

  test("has each of its ADMINs written to in their language, and no other member", async () => {
    const [bea, cid, dan] = [await insertPerson(db), await insertPerson(db), await insertPerson(db)]
    workspaceId = await insertTeam(db, [
      [bea, "ADMIN"],
      [cid, "MEMBER"],
      [dan, "ADMIN"],
    ])
    await pool.query("delete from workspaces where id <> $1", [workspaceId])
    await set("name = $3, created_at = $2", new Date(created), "Shop\r\nBcc: eve@example.com")
    await pool.query("update users set preferences = $2 where id = $1", [
      bea.id,
      { preferredLanguage: "de-AT" },
    ])
    await pool.query("update users set disabled_at = now() where id = $1", [dan.id])
    await runAt(90)
    expect(mails.map(({ to }) => to)).toEqual([bea.email])
    expect(letters()[0]?.text).toContain("Seit 90 Tagen wurde im Workspace")
    expect(letters()[0]?.text).toContain("31. Mai 2031")
    expect(letters()[0]?.text).not.toMatch(/^Bcc/m)
  })

  test("that is suspended is left alone", async () => {
    await set("is_suspended = true")
    await runAt(400)
    await set("inactive_first_email_sent_at = $2", new Date(created))
    expect(await runAt(800)).toEqual({ active: 0, first: 0, second: 0, suspended: 0 })
    expect(mails).toEqual([])
  })

  test("stays as it is where the operator has not asked for letters", async () => {
    expect(await runAt(900, { inactivity: undefined })).toMatchObject({ first: 0, suspended: 0 })
  })

  test("is not suspended again once an operator has opened it", async () => {
    await runAt(90)
    await runAt(121)
    await runAt(152)
    const decision = { isSuspended: false }
    await decideWorkspace(db, { workspaceId, decision, planLimits: usualPlanLimits })
    await set("last_activity_at = $2", new Date(created + 153 * dayMs))
    expect(await runAt(154)).toEqual({ active: 0, first: 0, second: 0, suspended: 0 })
    expect(await state()).toEqual(open([]))
  })
})

describe("no letter goes out, and earlier ones are forgotten, after", () => {
  const activities: Record<string, (at: Date) => Promise<unknown>> = {
    "a publication or a new bot": (at) => set("last_activity_at = $2", at),
    "a change by a person": (at) =>
      pool.query(
        `insert into audit_log (id, workspace_id, user_id, operation, target, created_at)
        values ($1, $2, $3, 'applyEdits', '{}', $4)`,
        [newUuid(), workspaceId, ann.id, at],
      ),
    "a chat": (at) =>
      pool.query(
        "insert into workspace_usage (workspace_id, period_start, chats) values ($1, $2, 1)",
        [workspaceId, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))],
      ),
  }

  test.each(Object.keys(activities))("%s", async (what) => {
    const happens = activities[what]
    await happens?.(new Date(created + 80 * dayMs))
    expect(await runAt(91)).toMatchObject({ first: 0 })
    await pool.query("delete from audit_log")
    await pool.query("delete from workspace_usage")
    await set("last_activity_at = null")
    await runAt(91)
    await runAt(122)
    expect(await state()).toEqual(open([91, 122]))
    await happens?.(new Date(created + 130 * dayMs))
    expect(await runAt(153)).toEqual({ active: 1, first: 0, second: 0, suspended: 0 })
    expect(await state()).toEqual(open([]))
  })

  test("but after nothing that an operator does, or that has left no chat", async () => {
    await pool.query(
      `insert into audit_log (id, workspace_id, operation, target, created_at, is_by_operator)
      values ($1, $2, 'decideWorkspace', '{}', $3, true)`,
      [newUuid(), workspaceId, new Date(created + 80 * dayMs)],
    )
    await pool.query(
      "insert into workspace_usage (workspace_id, period_start, chats) values ($1, '2031-03-01', 0)",
      [workspaceId],
    )
    expect(await runAt(91)).toMatchObject({ first: 1 })
  })
})

test("an activity forgets letters also on the day of the last one", async () => {
  await recordActivity(db, workspaceId)
  await set("inactive_first_email_sent_at = now(), inactive_second_email_sent_at = now()")
  await recordActivity(db, workspaceId)
  expect(await state()).toEqual(open([]))
})

describe("a letter that cannot be sent", () => {
  const addressed = (email: string) =>
    pool.query("update users set email = $2 where id = $1", [ann.id, email])

  test("goes out later, when the mail server does not answer or refuses for now", async () => {
    const gone = { afterDays: 90, server: serverAt(9), publicUrl }
    expect(await runAt(90, { inactivity: gone })).toMatchObject({ first: 0 })
    await addressed("450-ann@example.com")
    expect(await runAt(91)).toMatchObject({ first: 0 })
    expect(await state()).toEqual(open([]))
    await addressed(`${ann.id}@example.com`)
    expect(await runAt(92)).toMatchObject({ first: 1 })
    expect(mails).toHaveLength(1)
  })

  test("is not sent again when its address is refused for good, and others are written to", async () => {
    await addressed("550-ann@example.com")
    const bea = await insertPerson(db)
    await insertTeam(db, [[bea, "ADMIN"]])
    await pool.query("update workspaces set created_at = $1", [new Date(created)])
    expect(await runAt(90)).toMatchObject({ first: 2 })
    expect(await runAt(91)).toMatchObject({ first: 0 })
    expect(mails.map(({ to }) => to)).toEqual([bea.email])
  })
})

test("two processes at once send one letter", async () => {
  await Promise.all([runAt(90), runAt(90), runAt(90)])
  expect(mails).toHaveLength(1)
})

test("a run writes to a hundred workspaces at most, and the next goes on", async () => {
  await pool.query(
    `insert into workspaces (id, name, created_at)
    select 'w' || n, 'W', $1 from generate_series(1, 120) n`,
    [new Date(created)],
  )
  expect(await runAt(90)).toMatchObject({ first: 100 })
  expect(await runAt(90)).toMatchObject({ first: 21 })
})
