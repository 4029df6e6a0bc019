/** Holds openapi.json to the table of the ten endpoints: paths, methods, fields, types, values. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { isJson, type Json } from "../../src/http/openapi/openapiSchemas.ts"
import { type Endpoint, endpoints, type Field, nameOf } from "./seedTable.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))

test("the table has the ten endpoints with all their fields", () => {
  expect(endpoints.length).toBe(10)
  const counts = endpoints.map(({ request, response }) => request.length + response.length)
  expect(counts).toMatchInlineSnapshot(`
    [
      24,
      25,
      376,
      192,
      378,
      177,
      20,
      204,
      60,
      381,
    ]
  `)
})

describe.each(endpoints)("$method $path", (endpoint) => {
  const operation = operationOf(endpoint)

  test("is an operation with that name, with or without a token", () => {
    expect(operation.operationId).toBe(endpoint.name)
    const security = (operation.security ?? document.security) as object[]
    expect(security.length === 1).toBe(endpoint.needsToken)
    const names = parametersOf(operation).map(({ name, in: place }) => `${place} ${name}`)
    for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g))
      expect(names).toContain(`path ${name}`)
    expect(names.includes("query migrateToLatestVersion")).toBe(endpoint.hasConversionFlag)
  })

  test("answers success with 200 alone, as JSON", () => {
    const successes = Object.keys(operation.responses as Json).filter((status) => status < "400")
    expect(successes).toEqual(["200"])
  })

  test("takes every field of the request", () => {
    expect(missing(endpoint.request, requestOf(operation))).toEqual([])
    expect(requestOf(operation) === undefined).toBe(endpoint.request.length === 0)
  })

  test("gives every field of the response, and not those it must not have", () => {
    expect(missing(endpoint.response, responseOf(operation))).toEqual([])
    const forbidden = endpoint.absent.filter(
      (name) => at(responseOf(operation), name.split(".")).length > 0,
    )
    expect(forbidden).toEqual([])
  })
})

function operationOf({ method, path }: Endpoint): Json {
  const operation = dig(document, "paths", path, method.toLowerCase())
  return isJson(operation) ? operation : {}
}

function parametersOf(operation: Json): Json[] {
  return (operation.parameters as unknown[]).map(resolved).filter(isJson)
}

function requestOf(operation: Json): unknown {
  return dig(operation, "requestBody", "content", "application/json", "schema")
}

function responseOf(operation: Json): unknown {
  return dig(operation, "responses", "200", "content", "application/json", "schema")
}

/** Names of fields that a schema does not have, or not with that type or value. */
function missing(fields: readonly Field[], schema: unknown): string[] {
  return fields.filter((field) => !at(schema, field.path).some(admits(field))).map(nameOf)
}

function admits({ path, type, example }: Field): (schema: Json) => boolean {
  return (schema) => {
    // Values of maps may be anything; every other field says what it is.
    if (type === "any" || (path.at(-1) === "{}" && typesOf(schema).length === 0)) return true
    if (!typesOf(schema).includes(type)) return false
    return example === undefined || valuesOf(schema)?.includes(example) !== false
  }
}

/** Types that a schema lets through; none when it does not say. */
function typesOf({ type, const: only, enum: values, properties, items }: Json): unknown[] {
  if (only !== undefined) return [typeof only]
  if (type !== undefined) return [type].flat().map((each) => (each === "integer" ? "number" : each))
  if (Array.isArray(values)) return values.map((value) => typeof value)
  if (properties !== undefined) return ["object"]
  if (items !== undefined) return ["array"]
  return []
}

/** The values that a schema lets through; undefined: any of its type. */
function valuesOf({ const: only, enum: values }: Json): unknown[] | undefined {
  if (only !== undefined) return [only]
  return Array.isArray(values) ? values : undefined
}

/** Every alternative that a schema has for the place at the end of a path. */
function at(schema: unknown, path: readonly string[]): Json[] {
  const [name, ...rest] = path
  const choices = alternatives(schema)
  if (name === undefined) return choices
  return choices.flatMap((choice) => at(step(choice, name), rest))
}

function step({ items, additionalProperties, properties }: Json, name: string): unknown {
  if (name === "[]") return items
  if (name === "{}") return additionalProperties === true ? {} : additionalProperties
  return isJson(properties) ? properties[name] : undefined
}

/** A schema without references and combinations: all that it may turn out to be. */
function alternatives(schema: unknown): Json[] {
  const plain = resolved(schema)
  if (!isJson(plain)) return []
  const parts = [plain.allOf, plain.anyOf, plain.oneOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return parts.length > 0 ? [...parts, withoutParts(plain)].flatMap(alternatives) : [plain]
}

function withoutParts({ allOf: _all, anyOf: _any, oneOf: _one, ...own }: Json): unknown {
  return own.properties === undefined ? undefined : own
}

function resolved(value: unknown): unknown {
  if (!isJson(value) || typeof value.$ref !== "string") return value
  return resolved(dig(document, ...value.$ref.split("/").slice(1)))
}

function dig(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((found, key) => (found as Json | undefined)?.[key], value)
}
