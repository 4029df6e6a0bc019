/** Tests that the secret is created once, kept private, and split if there are several. */
import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { testFolder } from "../../../test/support/testFolder.ts"
import { createSecretFile, deriveKey, loadSecrets } from "./secret.ts"

const root = await testFolder()

const load = (dataFolder: string, use = { credentials: 0, hasBots: false }) =>
  loadSecrets({ dataFolder, findUse: async () => use })
const configured = (secrets: string) =>
  loadSecrets({
    dataFolder: join(root, "unused"),
    configured: secrets,
    findUse: async () => ({ credentials: 1, hasBots: true }),
  })

test("makes a secret on the first run, for its owner alone, and keeps it", async () => {
  const folder = join(root, "new", "data")
  const first = await load(folder)
  expect(await load(folder)).toEqual(first)
  expect(first[0]?.length).toBeGreaterThanOrEqual(32)
  expect((await stat(join(folder, "secret"))).mode & 0o777).toBe(0o600)
})

test("makes one secret when several processes start at once", async () => {
  const folder = join(root, "race")
  const loaded = await Promise.all(Array.from({ length: 8 }, () => load(folder)))
  expect(new Set(loaded.flat()).size).toBe(1)
  expect((await readFile(join(folder, "secret"), "utf8")).trim()).toBe(loaded[0]?.[0])
})

test("takes the operator's secrets in their order", async () => {
  const [a, b] = ["a".repeat(32), "b".repeat(40)]
  expect(await configured(`${a}, ${b}`)).toEqual([a, b])
})

test("refuses short secrets, and says nothing of them", async () => {
  await expect(configured(`${"a".repeat(32)},short-one`)).rejects.toThrow(
    "Each secret must have at least 32 characters.",
  )
  await writeFile(join(root, "secret"), "short-one")
  await expect(load(root)).rejects.toThrow("holds less than 32 characters")
})

test.each([
  [{ credentials: 12, hasBots: true }, /12 stored credentials cannot be decrypted/],
  [{ credentials: 1, hasBots: false }, /1 stored credential cannot be decrypted/],
  [{ credentials: 0, hasBots: true }, /Without it links to uploaded files stop working/],
])("makes none in the place of one that is lost: %j", async (use, loss) => {
  const folder = join(root, `lost ${JSON.stringify(use).length}`)
  const refused = load(folder, use)
  await expect(refused).rejects.toThrow(loss)
  await expect(refused).rejects.toThrow(join(folder, "secret"))
  await expect(refused).rejects.toThrow("npx parley secret create")
  await expect(stat(join(folder, "secret"))).rejects.toThrow("ENOENT")
})

test("makes a new one when the operator says so, and never replaces one", async () => {
  const folder = join(root, "given up")
  const path = await createSecretFile(folder)
  const [made] = await load(folder, { credentials: 12, hasBots: true })
  expect((await readFile(path, "utf8")).trim()).toBe(made)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await expect(createSecretFile(folder)).rejects.toThrow("stays as it is")
  expect(await load(folder)).toEqual([made])
})

test("finds the one that another process makes while it looks what depends on it", async () => {
  const folder = join(root, "meanwhile")
  const findUse = async () => {
    await createSecretFile(folder)
    return { credentials: 0, hasBots: true }
  }
  expect(await loadSecrets({ dataFolder: folder, findUse })).toEqual(await load(folder))
})

test("makes unrelated keys for different purposes", () => {
  const [a, b] = [deriveKey("s".repeat(32), "files"), deriveKey("s".repeat(32), "credentials")]
  expect(a).toHaveLength(32)
  expect(a.equals(b)).toBe(false)
})
