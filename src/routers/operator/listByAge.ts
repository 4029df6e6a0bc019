/** What the lists of operators share: words to search for, and pages by age. */
import { z } from "zod"
import type { Context } from "../context.ts"
import { cursorsOf, pageOf } from "../cursor.ts"

export const searchSchema = z.string().trim().min(1).max(255).optional()

const positionSchema = z.object({ createdAt: z.string(), id: z.string() })

/** Reads the cursor of a list that is ordered by age, and cuts and presents its page. */
export async function listByAge<Row extends { createdAt: Date; id: string }>(
  ctx: Pick<Context, "cursorCipher">,
  {
    bound,
    limit,
    cursor,
  }: { bound: [string, ...unknown[]]; limit: number; cursor?: string | undefined },
  list: (part: {
    after?: { createdAt: Date; id: string } | undefined
    limit: number
  }) => Promise<Row[]>,
) {
  const cursors = cursorsOf(ctx, bound, positionSchema)
  const at = cursors.read(cursor)
  const after = at && { id: at.id, createdAt: new Date(at.createdAt) }
  const { page, last } = pageOf(await list({ after, limit: limit + 1 }), limit)
  const position = last && { id: last.id, createdAt: last.createdAt.toISOString() }
  return { page, next: cursors.write(position) }
}
