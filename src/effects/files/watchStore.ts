/** Polls the object store, which detects an outage and its end without requests of users. */
import type { FileStorage } from "./storage.ts"

const everyMs = 15_000
/** Holds nothing. */
const key = "parley-check"

/** Starts polling; the storage reports the result of each request. Returns a function that stops it. */
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
