/** Makes requests from the OpenAPI document: valid, nearly valid and hostile ones. */
import { draw, type Schema, type Setting, type Source, spoil } from "./draw.ts"
import type { Documented } from "./judge.ts"

/** A request to send. */
export type Request = {
  /** What it is meant to be. */
  kind: "valid" | "nearly valid" | "hostile"
  operationId: string
  /** Undefined: it is meant for no operation. */
  operation: Documented | undefined
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** Ids that exist, by the names that the document gives them; later ones are preferred. */
export type Known = Map<string, string[]>

type Parameter = { $ref?: string; in: string; name: string; required?: boolean; schema: Schema }
type Operation = Documented & {
  operationId: string
  parameters: Parameter[]
  body: Schema | undefined
}

/** The document, as far as requests are made from it. */
export type OpenApi = {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

/** How often an operation is drawn; others once. */
const weights: Record<string, number> = {
  startChat: 5,
  continueChat: 12,
  startPreviewChat: 5,
  importBot: 3,
  updateBot: 3,
  publishBot: 2,
}

/** Opens a maker of requests. */
export function openRequests(
  document: OpenApi,
  { source, known, token }: { source: Source; known: Known; token: string },
): () => Request {
  const operations = operationsOf(document)
  const lots = operations.flatMap((each) =>
    Array.from({ length: weights[each.operationId] ?? 1 }, () => each),
  )
  const setting: Setting = {
    source,
    components: document.components.schemas,
    textFor: (name) => {
      const ids = known.get(name) ?? []
      return source.random() < 0.5 ? ids.at(-1) : source.pick(ids)
    },
  }
  return () => {
    const operation = source.pick(lots)
    if (!operation) throw new Error("The document has no operations")
    const chance = source.random()
    const kind = chance < 0.45 ? "valid" : chance < 0.8 ? "nearly valid" : "hostile"
    return make(operation, { kind, setting, token })
  }
}

function operationsOf({ paths, components }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const { operationId, parameters, requestBody, responses } = described as {
        operationId?: string
        responses: Record<string, { content?: Record<string, unknown> }>
        parameters?: Parameter[]
        requestBody?: { content: Record<string, { schema: Schema }> }
      }
      // Streams are ended by the caller.
      const isJson = responses["200"]?.content?.["application/json"] !== undefined
      if (operationId === undefined || !isJson) return []
      const all = (parameters ?? []).map(
        (each) => components.parameters[each.$ref?.split("/").at(-1) ?? ""] ?? each,
      )
      const body = requestBody?.content["application/json"]?.schema
      return [{ operationId, path, method, parameters: all, body }]
    }),
  )
}

type Making = { kind: Request["kind"]; setting: Setting; token: string }

function make(operation: Operation, { kind, setting, token }: Making): Request {
  const { source } = setting
  const isValid = kind === "valid"
  const value = (parameter: Parameter): string => {
    const drawn = draw(parameter.schema, setting, { name: parameter.name, depth: 0 })
    const isSpoilt = !isValid && source.random() < 0.15
    return isSpoilt ? source.hostileText() : String(drawn)
  }
  const inPlace = (place: string) => operation.parameters.filter((each) => each.in === place)
  let path = operation.path
  for (const parameter of inPlace("path")) {
    path = path.replace(`{${parameter.name}}`, encoded(value(parameter)) || "-")
  }
  const query = inPlace("query")
    .filter(({ required }) => required || source.random() < 0.3)
    .map((parameter) => `${encoded(parameter.name)}=${encoded(value(parameter))}`)
  if (!isValid && source.random() < 0.1) query.push(encoded(source.hostileText()))
  const headers = headersOf(operation, { kind, setting, token })
  const { operationId, method } = operation
  const request: Request = {
    kind,
    operationId,
    operation: { path: operation.path, method },
    method: method.toUpperCase(),
    path: query.length > 0 ? `${path}?${query.join("&")}` : path,
    headers,
    body: bodyOf(operation, kind, setting),
  }
  if (request.body !== undefined) headers["content-type"] ??= "application/json"
  return kind === "hostile" && source.random() < 0.05
    ? { ...request, method: "PUT", operation: undefined }
    : request
}

function headersOf(operation: Operation, { kind, setting, token }: Making): Record<string, string> {
  const { source } = setting
  const headers: Record<string, string> = {}
  if (kind === "valid" || source.random() < 0.9) headers.authorization = `Bearer ${token}`
  for (const { in: place, name, schema } of operation.parameters) {
    if (place !== "header" || source.random() < 0.6) continue
    const drawn = String(draw(schema, setting))
    headers[name.toLowerCase()] = printable(drawn).slice(0, 255) || "x"
  }
  if (kind !== "hostile") return headers
  const chance = source.random()
  if (chance < 0.1) headers["content-type"] = "text/plain"
  else if (chance < 0.15) headers["content-type"] = printable(source.hostileText()) || "x"
  else if (chance < 0.2) headers.authorization = printable(source.hostileText())
  else if (chance < 0.25) headers["idempotency-key"] = printable(source.hostileText())
  else if (chance < 0.3) headers["content-encoding"] = "gzip"
  else if (chance < 0.35) headers.origin = printable(source.hostileText())
  return headers
}

/** What an HTTP header may hold (RFC 9110, 5.5). */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "").trim()
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/^\.+$/, "%2e")
}

function bodyOf({ body }: Operation, kind: Request["kind"], setting: Setting): Request["body"] {
  const { source } = setting
  if (!body) return undefined
  if (kind === "hostile" && source.random() < 0.5) return rawBody(source)
  const drawn = withWalkableBot(draw(body, setting), source)
  if (kind === "valid") return JSON.stringify(drawn)
  let spoilt = spoil(drawn, source)
  if (kind === "hostile") spoilt = spoil(spoil(spoilt, source), source)
  return JSON.stringify(spoilt)
}

/** The same body, mostly with a bot that can be walked; a body without a bot is returned as it is. */
function withWalkableBot(body: unknown, source: Source): unknown {
  const { bot } = (body ?? {}) as { bot?: unknown }
  if (typeof bot !== "object" || bot === null || source.random() < 0.2) return body
  // So that it can be talked to once it is published.
  const address = "publicId" in bot ? { publicId: `fuzz-${source.below(100)}` } : {}
  return { ...(body as object), bot: { ...bot, ...source.flow(), ...address } }
}

function rawBody(source: Source): string | Buffer {
  const bodies = [
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "\ufeff{}",
    '{"message":"a","message":"b"}',
    `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    `{"message":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`,
    '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
    '{"message":1e999}',
    `{"message":"${"x".repeat(120_000)}"}`,
    JSON.stringify(source.hostileValue()) ?? "",
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  ]
  return source.pick(bodies) ?? ""
}
