/** Processes hear each other. */
import { afterAll, expect, it } from "vitest"
import { notify, openNotifications } from "../../src/db/connection/notifications.ts"
import { testDatabase } from "../support/database.ts"
import { openGate } from "../support/gate.ts"
import { eventually } from "../support/waiting.ts"

const db = await testDatabase()
const problems: Error[] = []
const notifications = openNotifications({
  url: db.url,
  retryMs: 10,
  onError: (error) => problems.push(error),
})
afterAll(() => notifications.close())

it("receives notifications until it is stopped", async () => {
  const heard: string[] = []
  const stop = notifications.on("token_revoked", (payload) => heard.push(payload))
  await eventually(async () => {
    await notify(db, "token_revoked", "one")
    expect(heard).toContain("one")
  })
  stop()
  const before = heard.length
  await notify(db, "token_revoked", "two")
  // Notifications come in the order in which they were sent.
  const later: string[] = []
  notifications.on("token_revoked", (payload) => later.push(payload))
  await notify(db, "token_revoked", "three")
  await eventually(() => expect(later).toContain("three"))
  expect(heard).toHaveLength(before)
})

it("listens again after its connection was lost", async () => {
  const heard: string[] = []
  notifications.on("webhook_called", (payload) => heard.push(payload))
  await db.run(
    {
      name: "cut",
      text: "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley listen'",
    },
    [],
  )
  await eventually(() => expect(problems).toHaveLength(1))
  await eventually(async () => {
    await notify(db, "webhook_called", "again")
    expect(heard).toContain("again")
  })
})

it("listens on another connection when its own has fallen silent", async () => {
  const gate = await openGate(db.url)
  afterAll(() => gate.close())
  const lost: Error[] = []
  const own = openNotifications({
    url: gate.url,
    retryMs: 10,
    checkMs: 50,
    onError: (error) => lost.push(error),
  })
  afterAll(() => own.close())
  const heard: string[] = []
  own.on("bot_changed", (payload) => heard.push(payload))
  const hears = (payload: string) =>
    eventually(async () => {
      await notify(db, "bot_changed", payload)
      expect(heard).toContain(payload)
    })
  await hears("one")
  gate.isOpen = false
  await eventually(() => expect(lost).not.toEqual([]))
  gate.isOpen = true
  await hears("two")
  expect(gate.passed).toBeGreaterThan(1)
})
