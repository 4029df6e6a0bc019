/** Reads on the first request and remembers the result; after a failure, the next request tries again. */
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
