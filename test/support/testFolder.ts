/** A folder for the files of a test, or of a file of tests. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { whenOver } from "./whenOver.ts"

/** Creates a folder among the temporary ones, for as long as the test or the file lasts. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-test-"))
  whenOver(() => rm(folder, { recursive: true, force: true }))
  return folder
}
