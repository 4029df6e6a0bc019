/** Reads only as much of a text as lists show, because those of earlier releases may be megabytes long. */
import { type RawBuilder, sql } from "kysely"

/** In characters; longer than any text in a list: addresses of pictures may have 2,048. */
const longestListed = 2_100

/** Selects the beginning of a column, which a presenter cuts further. */
export function beginningOf<Text extends string | null = string | null>(
  column: string,
): RawBuilder<Text> {
  return sql<Text>`left(${sql.ref(column)}, ${sql.lit(longestListed)})`
}
