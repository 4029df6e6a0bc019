/** Tests which secrets a database accepts: the one that it was used with, rotations of it, and no others. */
import { beforeEach, describe, expect, test, vi } from "vitest"
import { acceptSecretCommand } from "../../src/cli/secrets.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { checkSecrets, countLostCredentials } from "../../src/effects/credentials/secretCheck.ts"
import { newId } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"
import { insertTeam } from "../support/people.ts"
import { run } from "../support/runCommand.ts"

const db = await testDatabase()
const [first, second, third] = ["a", "b", "c"].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
]

const refused = (secrets: string[]) =>
  expect(checkSecrets(db, secrets)).rejects.toThrow(
    /secret is not the one with which this database was used.*PARLEY_SECRET=new,former.*secret accept/,
  )

beforeEach(async () => {
  await db.pool.query("truncate secret_check, credentials")
})

describe("a database that remembers its secret", () => {
  beforeEach(() => checkSecrets(db, [first]))

  test("accepts it again, and refuses another", async () => {
    await checkSecrets(db, [first])
    await refused([second])
    await checkSecrets(db, [first])
  })

  test("accepts a rotation, and then the new one alone", async () => {
    await checkSecrets(db, [second, first])
    await checkSecrets(db, [second])
    await refused([first])
    await refused([third])
  })

  test("keeps the former one while the new one only decrypts", async () => {
    await checkSecrets(db, [first, second])
    await refused([second])
  })

  test("accepts any other once the former one is given up", async () => {
    vi.stubEnv("DATABASE_URL", db.url)
    vi.stubEnv("PARLEY_SECRET", second)
    expect(await run(acceptSecretCommand)).toMatchObject({ code: 0, out: "" })
    await checkSecrets(db, [second])
    await refused([first])
  })

  test("does not hold the secret", async () => {
    const { rows } = await db.pool.query("select value from secret_check")
    expect(rows).toHaveLength(1)
    expect(rows[0].value.toString()).not.toContain(first)
  })
})

test("a database from before there were checks goes by the keys of its credentials", async () => {
  const workspaceId = await insertTeam(db, [])
  const id = newId()
  const { data, nonce, keyId } = createCipher([first]).seal(id, {})
  const row = { id, workspaceId, type: "openai", name: "Key", data, nonce, keyId }
  await db.kysely.insertInto("credentials").values(row).execute()
  await refused([second])
  await checkSecrets(db, [second, first])
  // It has not been used since, so it still needs the former secret.
  expect(await countLostCredentials(db, [second, first])).toBe(0)
  expect(await countLostCredentials(db, [second])).toBe(1)
})
