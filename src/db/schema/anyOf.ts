/** Conditions on lists, as `= any(…)`: one statement however many values there are. */
import { type RawBuilder, sql } from "kysely"

/** Any of some ids of type `uuid`. */
export function anyUuid(ids: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${ids}::uuid[])`
}

/** Any of some texts. */
export function anyText(texts: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${texts}::text[])`
}
