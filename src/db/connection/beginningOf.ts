/** Reads of a text no more than lists tell of it: names and notes of former versions may be megabytes. */
import { type RawBuilder, sql } from "kysely"

/** Longer than any text of a list: addresses of pictures may have 2,048 characters. */
const longestListed = 2_100

/** The beginning of a column, which a presenter cuts further. */
export function beginningOf<Text extends string | null = string | null>(
  column: string,
): RawBuilder<Text> {
  return sql<Text>`left(${sql.ref(column)}, ${sql.lit(longestListed)})`
}
