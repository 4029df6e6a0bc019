/** The secret is made once, kept private, and split when there are several. */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { deriveKey, loadSecrets } from "./secret.ts"

const root = await mkdtemp(join(tmpdir(), "parley-secret-"))
afterAll(() => rm(root, { recursive: true }))

test("makes a secret on the first run, for its owner alone, and keeps it", async () => {
  const folder = join(root, "new", "data")
  const first = await loadSecrets(folder)
  expect(await loadSecrets(folder)).toEqual(first)
  expect(first[0]?.length).toBeGreaterThanOrEqual(32)
  expect((await stat(join(folder, "secret"))).mode & 0o777).toBe(0o600)
})

test("makes one secret when several processes start at once", async () => {
  const folder = join(root, "race")
  const loaded = await Promise.all(Array.from({ length: 8 }, () => loadSecrets(folder)))
  expect(new Set(loaded.flat()).size).toBe(1)
  expect((await readFile(join(folder, "secret"), "utf8")).trim()).toBe(loaded[0]?.[0])
})

test("takes the operator's secrets in their order", async () => {
  const [a, b] = ["a".repeat(32), "b".repeat(40)]
  expect(await loadSecrets(join(root, "unused"), `${a}, ${b}`)).toEqual([a, b])
})

test("refuses short secrets, and says nothing of them", async () => {
  await expect(loadSecrets(root, `${"a".repeat(32)},short-one`)).rejects.toThrow(
    "Each secret must have at least 32 characters.",
  )
  await writeFile(join(root, "secret"), "short-one")
  await expect(loadSecrets(root)).rejects.toThrow("holds less than 32 characters")
})

test("makes unrelated keys for different purposes", () => {
  const [a, b] = [deriveKey("s".repeat(32), "files"), deriveKey("s".repeat(32), "credentials")]
  expect(a).toHaveLength(32)
  expect(a.equals(b)).toBe(false)
})
