/** Gives the schemas of the document the forms that common client generators understand. */
import { componentRef, isJson, type Json, memberOf, operationsOf, walk } from "./openapiSchemas.ts"

/**
 * Writes each thing in one form: null as a type, alternatives as `oneOf`, what may hold anything as
 * `additionalProperties: true`, and numbers as doubles (Go would make them 32 bits wide).
 */
export function shapeSchemas(document: Json): void {
  walk(document, (schema) => {
    mergeNull(schema)
    splitTypes(schema)
    if (schema.$ref !== undefined) delete schema.default
    if (schema.type === "number") schema.format ??= "double"
    if (schema.type === "integer") removeSafeBounds(schema)
    const { additionalProperties: others } = schema
    if (isJson(others) && Object.keys(others).length === 0) schema.additionalProperties = true
    if (schema.oneOf !== undefined) delete schema.type
    // Generators of Java take a literal for a text; the description says which value it has.
    if (schema.type === "boolean") {
      delete schema.const
      delete schema.enum
    }
    // The description of its component is the same.
    if (typeof schema.const === "string") delete schema.description
  })
  // Generators take a member with a default to be one that must be sent.
  walk(memberOf(document, "components", "schemas"), (schema) => {
    const isSchema = [schema.type, schema.$ref].some((each) => typeof each === "string")
    if (isSchema || Array.isArray(schema.oneOf ?? schema.type)) delete schema.default
  })
}

/** `anyOf: [{type: "string", …}, {type: "null"}]` becomes `type: ["string", "null"], …`. */
function mergeNull(schema: Json): void {
  if (!Array.isArray(schema.anyOf)) return
  // Generators have no name for a choice within a choice.
  const choices = schema.anyOf
    .flatMap((each) => (isJson(each) && Array.isArray(each.oneOf) ? each.oneOf : [each]))
    .filter(isJson)
  const [inner, ...others] = choices.filter(({ type }) => type !== "null")
  const isNullable = others.length + 1 < choices.length
  if (!isNullable) {
    // Choices never overlap: they differ in type, or in their member `type`.
    schema.oneOf = choices
    delete schema.anyOf
  } else if (others.length === 0 && typeof inner?.type === "string" && !inner.enum) {
    delete schema.anyOf
    Object.assign(schema, { ...inner, ...schema, type: [inner.type, "null"] })
  }
}

/** `type: ["number", "string"]` becomes a choice of the two; a type or null stays as it is. */
function splitTypes(schema: Json): void {
  const types = Array.isArray(schema.type) ? schema.type : []
  if (types.length < 2 || types.includes("null")) return
  schema.oneOf = types.map((type) => (type === "number" ? { type, format: "double" } : { type }))
}

/** Removes the bounds that zod 4.6 gives every integer: the safe range of JavaScript. */
function removeSafeBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/**
 * Makes `Block` a choice, by `type`, of the named components; those without a fixed type are for every
 * other one (by `not`: a pattern would need a look-ahead, which RE2 lacks). It is not a Zod union because
 * 50 objects would then be validated on every request.
 */
export function chooseBlock(document: Json, names: readonly string[]): void {
  const schemas = memberOf(document, "components", "schemas")
  if (names.length === 0 || !isJson(schemas.Block)) return
  const typeOf = (name: string) => memberOf(schemas, name, "properties", "type")
  const isKnown = (name: string) => typeof typeOf(name).const === "string"
  const [known, others] = [names.filter(isKnown), names.filter((name) => !isKnown(name))]
  const mapping = Object.fromEntries(
    known.map((name) => [typeOf(name).const, `#/components/schemas/${name}`]),
  )
  for (const name of others) typeOf(name).not = { enum: Object.keys(mapping) }
  const { description } = schemas.Block
  schemas.Block = {
    ...(description !== undefined && { description }),
    oneOf: [...known, ...others].map((name) => componentRef("schemas", name)),
    discriminator: { propertyName: "type", mapping },
  }
}

/** Makes components of the parameters that several operations have. */
export function nameParameters(document: Json): void {
  const lists = operationsOf(document).map(({ parameters }) =>
    Array.isArray(parameters) ? parameters : [],
  )
  const counts = new Map<string, number>()
  for (const text of lists.flat().map((each) => JSON.stringify(each))) {
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const components = memberOf(document, "components")
  const [named, schemas] = [memberOf(components, "parameters"), memberOf(components, "schemas")]
  for (const list of lists) {
    for (const [index, parameter] of list.entries()) {
      const isShared = (counts.get(JSON.stringify(parameter)) ?? 0) > 1
      if (!isShared || !isJson(parameter) || typeof parameter.name !== "string") continue
      const name = nameFor(parameter.name, parameter, { named, schemas })
      named[name] = parameter
      list[index] = componentRef("parameters", name)
    }
  }
}

/** Makes components of the bodies that several operations have, named for the first of them. */
export function nameBodies(document: Json): void {
  const schemas = memberOf(document, "components", "schemas")
  const known = new Map<string, { media: Json; name: string }>()
  for (const { operationId, requestBody } of operationsOf(document)) {
    const content = isJson(requestBody) ? requestBody.content : undefined
    const media = isJson(content) ? content["application/json"] : undefined
    if (!isJson(media) || !isJson(media.schema) || !isJson(media.schema.properties)) continue
    // A body of one member needs no name.
    if (Object.keys(media.schema.properties).length < 2) continue
    const text = JSON.stringify(media.schema)
    const first = known.get(text)
    const id = String(operationId)
    known.set(text, first ?? { media, name: `${id.charAt(0).toUpperCase()}${id.slice(1)}Body` })
    if (!first) continue
    schemas[first.name] = JSON.parse(text)
    for (const each of [first.media, media]) each.schema = componentRef("schemas", first.name)
  }
}

/**
 * Returns `BotId`, or `BotId2` when another parameter or a schema has that name: oapi-codegen makes types
 * of both.
 */
function nameFor(name: string, parameter: Json, { named, schemas }: Record<string, Json>): string {
  const base = name.charAt(0).toUpperCase() + name.slice(1)
  const same = JSON.stringify(parameter)
  const isTaken = (found: string) =>
    schemas?.[found] !== undefined ||
    (named?.[found] !== undefined && JSON.stringify(named[found]) !== same)
  let found = base
  for (let count = 2; isTaken(found); count++) found = `${base}${count}`
  return found
}
