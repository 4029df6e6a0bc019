/** Every operation of the document. */
import { readFileSync } from "node:fs"
import type { Admission } from "../../src/people/admissions.ts"
import type { OperationScope, Tag } from "../../src/people/grants.ts"

/** JSON of the document. */
export type Json = { [name: string]: unknown }

/** An operation, and whom it says that it admits. */
export type Operation = {
  id: string
  method: string
  path: string
  tag: Tag
  /** Whether it needs no token. */
  isPublic: boolean
  /** Several when that depends on what a request names. */
  admits: readonly Admission[]
  /** The scope that a token with scopes must have; absent: it takes no token. */
  scope?: OperationScope
  /** Names of the members that a query must have. */
  query: readonly string[]
  /** Schema and example of a JSON body; absent: it takes none. */
  body?: { schema: Json; example?: unknown }
}

type Parameter = { name: string; in: string; required?: boolean }

type Described = {
  operationId: string
  tags: [Tag]
  security?: object[]
  parameters?: Json[]
  requestBody?: { content: { "application/json"?: { schema: Json; example?: unknown } } }
  "x-admits": Admission[]
  "x-scope"?: OperationScope
}

const document = JSON.parse(
  readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
) as { paths: Record<string, Record<string, Described>> }

/** All of them. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => {
    const { operationId: id, tags, security, parameters = [], requestBody } = described
    const body = requestBody?.content["application/json"]
    const places = parameters.map((each) => resolved(each) as Parameter)
    const query = places.filter((each) => each.in === "query" && each.required === true)
    return {
      id,
      method: method.toUpperCase(),
      path,
      tag: tags[0],
      isPublic: needsNoToken(security),
      admits: described["x-admits"],
      ...(described["x-scope"] && { scope: described["x-scope"] }),
      query: query.map(({ name }) => name),
      ...(body && { body }),
    }
  }),
)

/** Whether callers who are not admitted must not learn that it exists. */
export function isHidden({ admits }: { admits: readonly Admission[] }): boolean {
  return admits.includes("operators")
}

/** The schema that a reference leads to; any other one as it is. */
export function resolved(schema: Json): Json {
  const { $ref } = schema
  if (typeof $ref !== "string") return schema
  let found: unknown = document
  for (const name of $ref.split("/").slice(1)) found = (found as Json)[name]
  return resolved(found as Json)
}

/** Without a word about it, an operation needs a token; an empty way in is one without. */
function needsNoToken(security: readonly object[] | undefined): boolean {
  if (security === undefined) return false
  return security.length === 0 || security.some((way) => Object.keys(way).length === 0)
}
