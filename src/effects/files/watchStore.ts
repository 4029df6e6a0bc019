/** Asks the object store now and then whether it answers, so that its loss and its return are known without a request. */
import type { FileStorage } from "./storage.ts"

const everyMs = 15_000
/** Holds nothing. */
const key = "parley-check"

/** Starts watching; the storage itself reports what comes of its requests. Returns what ends it. */
export function watchStore({ measure }: Pick<FileStorage, "measure">): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    await measure(key).catch(() => {})
    if (isStopped) return
    timer = setTimeout(() => void look(), everyMs).unref()
  }
  void look()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
