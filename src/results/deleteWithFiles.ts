/** Removes results together with the files of their chats. */

import type { ResultAddress } from "../db/results/resultAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { forEachOf } from "../lib/batches.ts"

export type ResultFiles = Pick<FileStore, "deleteResultFiles">

const filesAtOnce = 16

/**
 * Removes the files of results before `deleteRows` runs, so that no files outlive their rows; then again for
 * the results it returns, for concurrent uploads.
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
