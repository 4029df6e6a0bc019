/** Where the data of an embedded server goes when the account that runs it cannot enter the data folder. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { testFolder } from "../../test/support/testFolder.ts"
import { findDataFolder } from "./dataFolder.ts"

async function folders() {
  const root = await testFolder()
  await chmod(root, 0o755)
  const closed = join(root, "closed")
  await mkdir(closed, { mode: 0o700 })
  return { dataFolder: join(closed, "data"), elsewhere: join(root, "elsewhere") }
}

test("data whose recorded folder is gone is missed, and not begun anew", async () => {
  const { dataFolder, elsewhere } = await folders()
  await mkdir(dataFolder)
  await writeFile(join(dataFolder, "location"), `${join(elsewhere, "x")}\n`)
  await expect(findDataFolder(dataFolder)).rejects.toThrow(
    /was in .*elsewhere\/x, as .*location says, and that folder is gone: .*restore a backup/,
  )
})

// Everybody else runs the server themselves.
if (process.getuid?.() === 0) {
  test("a closed data folder names the folder that has the data", async () => {
    const { dataFolder, elsewhere } = await folders()
    const place = await findDataFolder(dataFolder, elsewhere)
    expect(place).toMatchObject({ named: dataFolder, home: expect.stringContaining(elsewhere) })
    expect(await readFile(join(dataFolder, "location"), "utf8")).toBe(`${place.home}\n`)
    expect(await findDataFolder(dataFolder, "/nowhere")).toEqual(place)
  })

  test("without a place that lasts the start is refused, and no temporary folder is taken", async () => {
    const { dataFolder, elsewhere } = await folders()
    await writeFile(elsewhere, "")
    await expect(findDataFolder(dataFolder, elsewhere)).rejects.toThrow(
      /PostgreSQL cannot enter .*data, nor .*elsewhere\/\w+: set PARLEY_DATA .*DATABASE_URL/,
    )
    await expect(readFile(join(dataFolder, "location"))).rejects.toThrow("ENOENT")
  })
}
