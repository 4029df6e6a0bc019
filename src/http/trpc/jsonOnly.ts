/** Tells by its schema whether a value is plain JSON. */
import type { $ZodType, $ZodTypes } from "zod/v4/core"

/**
 * Whether JSON can represent all values of a schema, so that superjson need not walk through them.
 * False when the schema does not tell; recursive schemas are not followed.
 */
export function isJsonOnly(schema: $ZodType): boolean {
  const { def } = (schema as $ZodTypes)._zod
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "enum":
      return true
    case "literal":
      return def.values.every((value) => typeof value !== "bigint" && value !== undefined)
    case "object":
      return !def.catchall && Object.values(def.shape).every(isMember)
    case "array":
      return isJsonOnly(def.element)
    case "union":
      return def.options.every(isJsonOnly)
    case "nullable":
      return isJsonOnly(def.innerType)
    default:
      return false
  }
}

/** Undefined members are left out; elsewhere JSON has no undefined. */
function isMember(schema: $ZodType): boolean {
  const { def } = (schema as $ZodTypes)._zod
  return isJsonOnly(def.type === "optional" ? def.innerType : schema)
}
