/** Changes that wait for each other in a circle: the one that is aborted is done once more. */
import { sql } from "kysely"
import { expect, test } from "vitest"
import { failureOf } from "../../src/db/connection/databaseFailures.ts"
import { inTransaction, retryContended } from "../../src/db/connection/transactions.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
await db.kysely
  .insertInto("workspaces")
  .values(["a", "b"].map((id) => ({ id, name: "" })))
  .execute()

// On a cluster changes of a copied table wait for each other at their first row.
const onOneServer = test.skipIf(isOnCluster)

/** Lets as many go on as are waiting, once they are so many; later ones do not wait. */
function meeting(size: number): () => Promise<void> {
  let count = 0
  let open: () => void = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    count += 1
    if (count === size) open()
    return isOpen
  }
}

onOneServer("transactions that lock rows in opposite order both come to their end", async () => {
  const haveBothLocked = meeting(2)
  let attempts = 0
  let winner: Promise<void> | undefined
  const rename = (first: string, second: string) =>
    inTransaction(db, async (transaction) => {
      attempts += 1
      // The winner may wake up too late to have the row that is free, and meet the second attempt again.
      if (attempts === 3) await winner
      // Only one of them looks for circles: both at once would be aborted, and meet again.
      if (first === "a") await sql`set local deadlock_timeout = '5min'`.execute(transaction)
      for (const id of [first, second]) {
        const name = `${first} was here`
        await transaction.updateTable("workspaces").set({ name }).where("id", "=", id).execute()
        await haveBothLocked()
      }
    })
  winner = rename("a", "b")
  await Promise.all([winner, rename("b", "a")])
  expect(attempts).toBe(3)
  const rows = await db.kysely.selectFrom("workspaces").select("name").execute()
  expect(new Set(rows.map(({ name }) => name)).size).toBe(1)
})

test("a second abort, and any other failure, is thrown", async () => {
  const failing = (code: string) => {
    let attempts = 0
    const work = () => {
      attempts += 1
      return Promise.reject(Object.assign(new Error("aborted"), { code }))
    }
    return { work, attempts: () => attempts }
  }
  const contended = failing("40001")
  await expect(retryContended(contended.work)).rejects.toSatisfy(
    (error) => failureOf(error) === "contended",
  )
  expect(contended.attempts()).toBe(2)
  const broken = failing("23505")
  await expect(retryContended(broken.work)).rejects.toThrow("aborted")
  expect(broken.attempts()).toBe(1)
})

onOneServer("a snapshot that comes too late to write is aborted with the reason", async () => {
  const serializable = db.kysely.transaction().setIsolationLevel("serializable")
  const late = serializable.execute(async (transaction) => {
    await transaction.selectFrom("workspaces").select("name").execute()
    await db.kysely.updateTable("workspaces").set({ name: "first" }).where("id", "=", "a").execute()
    await transaction
      .updateTable("workspaces")
      .set({ name: "late" })
      .where("id", "=", "a")
      .execute()
  })
  expect(failureOf(await late.catch((error: unknown) => error))).toBe("contended")
})
