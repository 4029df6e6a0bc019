/** Removes results together with the files of their chats. */

import type { ResultAddress } from "../db/results/resultAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { forEachOf } from "../lib/batches.ts"

/** The store that has the files of results. */
export type ResultFiles = Pick<FileStore, "deleteResultFiles">

const filesAtOnce = 16

/**
 * Removes the files of results before `deleteRows` does what it does with those, so that nothing is gone whose
 * files are still there; and again those of the results that it returns, for what was uploaded meanwhile.
 */
export async function deleteWithFiles(
  files: ResultFiles,
  results: readonly ResultAddress[],
  deleteRows: () => Promise<readonly ResultAddress[]>,
): Promise<void> {
  const deleteFiles = ({ botId, resultId }: ResultAddress) =>
    files.deleteResultFiles({ botId, resultId })
  await forEachOf(results, filesAtOnce, deleteFiles)
  await forEachOf(await deleteRows(), filesAtOnce, deleteFiles)
}
