/** Column types that read and write differently: JSON documents and timestamps. */
import type { ColumnType } from "kysely"

/** A jsonb column: read as a value, written as JSON text (pg would take an array for a SQL array). */
export type Json<T> = ColumnType<T, string, string>

/** A jsonb column that may be left out on insert, because it is null or has a default. */
export type OptionalJson<T> = ColumnType<T, string | null | undefined, string | null>

export type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>

export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>

/** timestamptz that every row is given. */
export type GivenTimestamp = ColumnType<Date, Date, Date>
