/** Things that are made once for all tests of a run, by whichever test file asks first. */
import { existsSync } from "node:fs"
import { mkdir, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "./waiting.ts"
import { writeWhole } from "./writeWhole.ts"

/**
 * The folder of a thing, once it is there; test files in other processes wait for it. Rejects for all of
 * them if it could not be made.
 */
export async function onceForRun(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(tmpdir(), name)
  const outcome = `${folder}.outcome`
  const isFirst = await mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
      return false
    },
  )
  if (isFirst) {
    const problem = await make(folder).then(
      () => "",
      (error: Error) => error.message,
    )
    await writeWhole(outcome, problem)
  }
  await until(() => existsSync(outcome))
  const problem = await readFile(outcome, "utf8")
  if (problem !== "") throw new Error(problem)
  return folder
}
