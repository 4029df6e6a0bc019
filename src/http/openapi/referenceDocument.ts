/** The document as the reference reads it: with webhooks and code samples, in the form that Scalar accepts. */
import type { AnyTRPCRouter } from "@trpc/server"
import { addCodeSamples } from "./codeSamples.ts"
import { joinWebhooks, type SplitDocument } from "./documentParts.ts"
import { isJson, type Json, memberOf, walk } from "./openapiSchemas.ts"

/** Makes it. Code samples are only here, since they would make the document a quarter larger. */
export function referenceDocument(split: SplitDocument, router: AnyTRPCRouter): Json {
  const document = addCodeSamples(joinWebhooks(split), router)
  nameTypes(document)
  return document
}

const anything = ["string", "number", "boolean", "object", "array", "null"]

/** Scalar 1.46 reports schemas as invalid when they are, or have, a choice or a member without `type`. */
function nameTypes(document: Json): void {
  const schemas = memberOf(document, "components", "schemas")
  walk(schemas, (schema) => {
    const { properties, items, not } = schema
    const inner = [...Object.values(isJson(properties) ? properties : {}), items, not].filter(
      isJson,
    )
    for (const each of [schema, ...inner]) {
      if (each.type !== undefined || each.$ref !== undefined) continue
      const types = [...typesOf(each, schemas)]
      const isInner = each !== schema
      if (types.length > 0) each.type = types.length === 1 ? types[0] : types
      else if (isInner) each.type = anything
    }
  })
}

/** The types of a schema, its values or its choices; none if one of them may be anything. */
function typesOf({ $ref, type, oneOf, anyOf, enum: values }: Json, schemas: Json): Set<unknown> {
  if ($ref !== undefined) {
    const target = schemas[String($ref).split("/").at(-1) ?? ""]
    return isJson(target) ? typesOf(target, schemas) : new Set()
  }
  if (type !== undefined) return new Set([type].flat())
  if (Array.isArray(values)) return new Set(values.map((value) => typeof value))
  const choices = [oneOf ?? anyOf ?? []].flat().filter(isJson)
  const sets = choices.map((choice) => typesOf(choice, schemas))
  return sets.some(({ size }) => size === 0) ? new Set() : new Set(sets.flatMap((set) => [...set]))
}
