/** Removes results together with the files of their chats. */

import type { ResultAddress } from "../db/results/resultAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { forEachOf } from "../lib/batches.ts"

/** The store that has the files of results. */
export type ResultFiles = Pick<FileStore, "removeResult">

const filesAtOnce = 16

/**
 * Removes the files of results before `remove` does what it does with those, so that nothing is gone whose
 * files are still there; and again those of the results that it returns, for what was uploaded meanwhile.
 */
export async function removeWithFiles(
  files: ResultFiles,
  results: readonly ResultAddress[],
  remove: () => Promise<readonly ResultAddress[]>,
): Promise<void> {
  const clear = ({ botId, resultId }: ResultAddress) => files.removeResult({ botId, resultId })
  await forEachOf(results, filesAtOnce, clear)
  await forEachOf(await remove(), filesAtOnce, clear)
}
