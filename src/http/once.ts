/** Remembers what was read on the first request; a failure is tried again on the next one. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= read().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}
