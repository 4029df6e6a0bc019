/** Events, deliveries and those who fetch them go after their time. */
import { expect, test } from "vitest"
import { newId, newUuid } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"

const dayMs = 86_400_000

const db = await testDatabase()
const { kysely } = db

const ago = (ms: number) => new Date(Date.now() - ms)

test("events older than 30 days and expired listeners are deleted", async () => {
  const workspaceId = newId()
  await kysely.insertInto("workspaces").values({ id: workspaceId, name: "Team" }).execute()
  const insertListener = async (expiresAt: Date) => {
    const id = newId()
    const types = ["bot.published"]
    await kysely
      .insertInto("webhookEndpoints")
      .values({ id, workspaceId, types, expiresAt })
      .execute()
    return id
  }
  const endpointId = await insertListener(new Date(Date.now() + dayMs))
  const silent = await insertListener(ago(1_000))
  for (const createdAt of [ago(31 * dayMs), ago(29 * dayMs)]) {
    const event = { resultId: newUuid(), type: "bot.published", createdAt }
    await kysely
      .insertInto("outbox")
      .values({ ...event, id: newUuid(), workspaceId, botId: "bot", payload: "{}" })
      .execute()
    const eventId = newUuid()
    const { resultId } = event
    await kysely
      .insertInto("eventBodies")
      .values({ id: eventId, resultId, body: "{}", createdAt })
      .execute()
    const delivery = { ...event, id: newUuid(), eventId }
    await kysely
      .insertInto("deliveries")
      .values([
        { ...delivery, endpointId },
        { ...delivery, endpointId: silent, createdAt: ago(0) },
      ])
      .execute()
  }
  expect(await runJob(db, "purge_events")).toEqual({
    outbox: 1,
    deliveries: 1,
    eventBodies: 1,
    listeners: 1,
  })
  const left = await kysely.selectFrom("deliveries").select("endpointId").execute()
  expect(left).toEqual([{ endpointId }])
})
