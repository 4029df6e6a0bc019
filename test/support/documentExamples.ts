/** The examples of the document: what each operation takes, and what it answers. */
import { readFileSync } from "node:fs"

type Json = Record<string, unknown>
type Body = { content?: Record<string, { example?: unknown }>; headers?: Json }
type Parameter = { name: string; in: string; required?: boolean; example?: unknown; $ref?: string }

type Operation = {
  operationId: string
  security?: object[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}

type Webhook = {
  parameters: Parameter[]
  requestBody: { content: { "application/json": { schema: Json; example: unknown } } }
}

/** The example of one operation. */
export type Example = {
  id: string
  method: string
  /** The path with its query. */
  path: string
  /** Whether it takes a body, and the body. */
  takesBody: boolean
  request: unknown
  /** The type of the answer, and the answer. */
  type: string
  response: unknown
}

/** The document. */
export const document = JSON.parse(
  readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
) as {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

/** The document of the webhooks. */
export const webhooksDocument = JSON.parse(
  readFileSync(new URL("../../src/http/openapi/openapi.webhooks.json", import.meta.url), "utf8"),
) as {
  webhooks: Record<string, { post: Webhook }>
  components: { parameters: Record<string, Parameter> }
}

/** The examples of all operations. */
export const examples: Example[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => exampleOf(method, path, operation)),
)

function exampleOf(method: string, path: string, operation: Operation): Example {
  const { operationId: id, parameters = [], requestBody, responses } = operation
  const all = parameters.map(resolved)
  const given = new Map(all.map(({ name, example }) => [name, example]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.get(name))),
  )
  const query = all.filter((each) => each.in === "query" && each.example !== undefined)
  const search = new URLSearchParams(
    Object.fromEntries(query.map(({ name, example }) => [name, String(example)])),
  )
  const [type = "", media] = Object.entries(responses["200"]?.content ?? {})[0] ?? []
  return {
    id,
    method: method.toUpperCase(),
    path: search.size > 0 ? `${filled}?${search}` : filled,
    takesBody: requestBody !== undefined,
    request: requestBody?.content?.["application/json"]?.example,
    type,
    response: media?.example,
  }
}

function resolved(parameter: Parameter): Parameter {
  const name = parameter.$ref?.split("/").at(-1)
  return (name !== undefined && document.components.parameters[name]) || parameter
}
