/** Reads edits that authors send. */
import { z } from "zod"
import { longTextsIn } from "../../engine/schema/bounds.ts"

/** Reads the input of `schema`, and refuses texts that are too long. Throws a ZodError. */
export function readEdits<Schema extends z.ZodType<{ edits: unknown }>>(
  schema: Schema,
): (sent: unknown) => z.output<Schema> {
  return (sent) => {
    const input = schema.parse(sent)
    const issues = longTextsIn(input.edits)
      .slice(0, 50)
      .map(({ path, length, most }): z.core.$ZodIssue => {
        const message = `The text has ${length} characters, and ${most} is the most`
        const at = ["edits", ...path]
        return { code: "too_big", origin: "string", maximum: most, path: at, message, input: "" }
      })
    if (issues.length > 0) throw new z.ZodRealError(issues)
    return input
  }
}
