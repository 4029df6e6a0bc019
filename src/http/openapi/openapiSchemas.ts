/** Reads and tidies a generated OpenAPI document: one component per shape, no noise. */

/** Any JSON object. */
export type Json = Record<string, unknown>

/** Whether a value is a JSON object, not a list. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Returns the member at a path, and creates missing objects on it. */
export function memberOf(parent: Json, ...names: string[]): Json {
  return names.reduce((object, name) => {
    const present = object[name]
    if (isJson(present)) return present
    const made: Json = {}
    object[name] = made
    return made
  }, parent)
}

/** Visits every object outside of examples, the innermost first. */
export function walk(value: unknown, visit: (schema: Json) => void): void {
  if (Array.isArray(value)) for (const member of value) walk(member, visit)
  if (!isJson(value)) return
  for (const [key, member] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") walk(member, visit)
  }
  visit(value)
}

/** Returns all operations. */
export function operationsOf(document: Json): Json[] {
  const paths = Object.values(memberOf(document, "paths")).filter(isJson)
  return paths.flatMap((methods) => Object.values(methods).filter(isJson))
}

/** A reference to a component: `componentRef("schemas", "Bot")`. */
export function componentRef(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

/**
 * Removes output of zod-openapi 5.4 on which callers must not rely: closed objects (members may be
 * added), the names of map keys, and patterns that only repeat a `format` at length; and what is there
 * for editors, which read it from `GET /blocks`.
 */
export function removeNoise(document: Json): void {
  walk(document, (schema) => {
    const { propertyNames, format, pattern } = schema
    if (schema.additionalProperties === false) delete schema.additionalProperties
    delete schema["x-parley"]
    if (typeof schema.title === "string" && (schema.type ?? schema.$ref)) delete schema.title
    if (Array.isArray(schema.examples)) delete schema.examples
    if (isJson(propertyNames) && typeof propertyNames.type === "string") delete schema.propertyNames
    if (typeof format === "string" && typeof pattern === "string") delete schema.pattern
  })
}

/**
 * Merges `Bot` and `BotOutput`: request and response have the same shape. A member that a request may leave
 * out is then optional, or a client could not send back what it has read. Throws for another difference.
 */
export function mergeOutputs(document: Json): void {
  const schemas = memberOf(document, "components", "schemas")
  walk(document, (schema) => {
    for (const [key, member] of Object.entries(schema)) {
      const name = /^#\/components\/schemas\/([^/]+)Output$/.exec(String(member))?.[1] ?? ""
      if (name in schemas) schema[key] = `#/components/schemas/${name}`
    }
  })
  for (const name of Object.keys(schemas)) {
    const output = schemas[`${name}Output`]
    if (output === undefined) continue
    if (shapeOf(output) !== shapeOf(schemas[name]))
      throw new Error(`There are two shapes of ${name}`)
    delete schemas[`${name}Output`]
  }
}

/** Sorts the components by name, so that a new one is one hunk in a diff. */
export function sortComponents(document: Json): void {
  const components = memberOf(document, "components")
  for (const [kind, members] of Object.entries(components)) {
    if (!isJson(members)) continue
    const sorted = Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))
    components[kind] = Object.fromEntries(sorted)
  }
}

function shapeOf(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === "required" && Array.isArray(value) ? undefined : value,
  )
}
