/** Presents rows by the schemas of responses. */
import { z } from "zod"

/** How a row may hold a member of a response. */
type Stored<Member> =
  | Member
  | (string extends Member ? Date : never)
  | (undefined extends Member ? null : never)

/** A row that holds every member of a response, perhaps among others. */
type RowFor<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]-?: Stored<z.output<Shape[Name]>>
}

/**
 * The members that the schema names, as the row holds them: dates become ISO 8601, and null becomes
 * absent unless the schema takes null.
 */
export function presentRow<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  row: RowFor<Shape>,
): z.output<z.ZodObject<Shape>> {
  const members = Object.entries(schema.shape).flatMap(([name, member]) => {
    const value: unknown = row[name]
    const isAbsent = value === undefined || (value === null && !(member instanceof z.ZodNullable))
    return isAbsent ? [] : [[name, value instanceof Date ? value.toISOString() : value]]
  })
  return Object.fromEntries(members)
}
