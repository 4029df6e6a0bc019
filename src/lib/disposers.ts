/** Closes everything that was opened, even if some of it fails. */

/** What closes each component, in the order in which they were opened. */
export type Disposers = (() => Promise<void>)[]

/** Adds what closes a part, and returns the part. */
export function opened<Part extends { close(): void | Promise<void> }>(
  disposers: Disposers,
  part: Part,
): Part {
  disposers.push(async () => part.close())
  return part
}

/** How long each may take to close once the deadline is over. */
const lateMs = 1_000

/**
 * Closes everything, the last first. What fails, or has not closed by the deadline, keeps nothing else
 * open: it throws once the others are closed.
 */
export async function disposeAll(disposers: Disposers, deadlineMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs
  const problems: unknown[] = []
  for (const dispose of disposers.splice(0).reverse()) {
    const leftMs = Math.max(lateMs, deadline - performance.now())
    await within(leftMs, dispose()).catch((error: unknown) => problems.push(error))
  }
  if (problems.length > 0) throw problems[0]
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(
      "Something that it waited for, such as the database, did not end in time.",
    )
    timer = setTimeout(reject, ms, error)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
