/** Writes a file that nobody can read half of: it gets its name once it is whole. */
import { rename, writeFile } from "node:fs/promises"

export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}
