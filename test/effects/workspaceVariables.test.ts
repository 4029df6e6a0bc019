/** Variables of workspaces in memory: read once, forgotten when they change, never beyond the poll. */
import { expect, onTestFinished, test } from "vitest"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import {
  openWorkspaceVariables,
  sealedFor,
} from "../../src/effects/variables/workspaceVariables.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { eventually } from "../support/waiting.ts"

const db = await testDatabase()
const owner = await newUser(db)
const newWorkspace = async (name: string) =>
  (await owner.call.workspace.create({ name })).workspace.id
const [former, current] = [
  "a former secret of an installation",
  "a newer secret of an installation",
]

/** A memory that hears nothing unless told, and polls at once or never. */
function openMemory({ everyMs = 3_600_000, secrets = [current] } = {}) {
  const told: string[] = []
  let listener = (_workspaceId: string) => {}
  let reads = 0
  const counted = new Proxy(db, {
    get(target, name: keyof Db) {
      if (name === "kysely") reads++
      return target[name]
    },
  })
  const memory = openWorkspaceVariables({
    db: counted,
    cipher: createCipher(secrets),
    notifications: {
      on: (_channel, heard) => {
        listener = heard
        return () => {}
      },
      notify: async (_channel, workspaceId) => {
        told.push(workspaceId)
      },
    },
    log: silentLog(),
    everyMs,
  })
  onTestFinished(() => memory.close())
  return { memory, told, hear: (id: string) => listener(id), reads: () => reads }
}

const store = async (workspaceId: string, name: string, value: string) =>
  await db.kysely.insertInto("workspaceVariables").values({ workspaceId, name, value }).execute()

test("they are read once, and again after a change that was made here or reported", async () => {
  const workspaceId = await newWorkspace("Once")
  await store(workspaceId, "shop", "Tea")
  const { memory, told, hear, reads } = openMemory()
  expect(await memory.of(workspaceId)).toEqual(
    new Map([["shop", { value: "Tea", isSecret: false }]]),
  )
  const before = reads()
  const known = memory.of(workspaceId)
  expect(known).toBeInstanceOf(Map)
  expect(reads()).toBe(before)
  await store(workspaceId, "city", "Rome")
  hear("another workspace")
  expect(memory.of(workspaceId)).toBe(known)
  hear(workspaceId)
  expect((await memory.of(workspaceId)).size).toBe(2)
  await store(workspaceId, "more", "x")
  await memory.changed(workspaceId)
  expect(told).toEqual([workspaceId])
  expect((await memory.of(workspaceId)).size).toBe(3)
})

test("a change that was not reported is found by the poll", async () => {
  const workspaceId = await newWorkspace("Polled")
  const { memory } = openMemory({ everyMs: 20 })
  expect((await memory.of(workspaceId)).size).toBe(0)
  await store(workspaceId, "shop", "Tea")
  await eventually(async () => expect((await memory.of(workspaceId)).size).toBe(1))
  await db.kysely.deleteFrom("workspaceVariables").where("workspaceId", "=", workspaceId).execute()
  await eventually(async () => expect((await memory.of(workspaceId)).size).toBe(0))
})

test("turns that need them at the same time read them once, and a failure is not kept", async () => {
  const workspaceId = await newWorkspace("Together")
  await store(workspaceId, "shop", "Tea")
  const { memory } = openMemory()
  const [one, two] = [memory.of(workspaceId), memory.of(workspaceId)]
  expect(one).toBe(two)
  await one
  const broken = openWorkspaceVariables({
    db: {
      get kysely(): Db["kysely"] {
        throw new Error("No connection")
      },
    } as Db,
    cipher: createCipher([current]),
    notifications: { on: () => () => {}, notify: async () => {} },
    log: silentLog(),
  })
  onTestFinished(() => broken.close())
  for (let times = 0; times < 2; times++)
    await expect(broken.of(workspaceId)).rejects.toThrow("No connection")
})

test("a secret of a former key is encrypted with the current one; one whose key is lost is unknown", async () => {
  const workspaceId = await newWorkspace("Rotated")
  const sealed = createCipher([former]).seal(sealedFor(workspaceId, "key"), "a secret")
  await db.kysely
    .insertInto("workspaceVariables")
    .values({ workspaceId, name: "key", ...sealed })
    .execute()
  expect((await openMemory({ secrets: [current] }).memory.of(workspaceId)).size).toBe(0)
  const rotating = openMemory({ secrets: [current, former] })
  const known = new Map([["key", { value: "a secret", isSecret: true }]])
  expect(await rotating.memory.of(workspaceId)).toEqual(known)
  expect(await openMemory({ secrets: [current] }).memory.of(workspaceId)).toEqual(known)
})
