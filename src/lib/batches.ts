/** Works through very many rows or files, so many at a time. */

/** Max rows that a statement lists or deletes; fewer means that no others are left. */
export const batchSize = 1_000

/** Repeats a purge until it finds less than a batch; returns the number of deleted rows. */
export async function drain(signal: AbortSignal, purge: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await purge()
    total += count
    if (count < batchSize) return total
  }
}

/** Works on items, `atOnce` at a time. After a failure it begins no others, and throws it at the end. */
export async function forEachOf<Item>(
  items: AsyncIterable<Item> | readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  // The workers share it: each takes the next item.
  const queue = "values" in items ? items.values() : items[Symbol.asyncIterator]()
  let failure: { error: unknown } | undefined
  const worker = async () => {
    try {
      for (;;) {
        const { done, value } = await queue.next()
        if (done || failure) return
        await work(value)
      }
    } catch (error) {
      failure ??= { error }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failure) throw failure.error
}
