/** Generates the OpenAPI 3.1 document from the procedures; trpc-to-openapi 3.3 does the groundwork. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { generateOpenApiDocument } from "trpc-to-openapi"
import { z } from "zod"
import { errorReasons, kindByStatus, type ParleyErrorCode } from "../../lib/errors.ts"
import { admissions } from "../../people/admissions.ts"
import { scopes } from "../../people/grants.ts"
import { exampleIds, type OperationExample } from "../../routers/examples.ts"
import { type Deprecation, metaOf } from "../../routers/trpc.ts"
import { inputShape } from "../rest/routes.ts"
import { describeNeeds } from "./describeNeeds.ts"
import { webhooksPath } from "./documentParts.ts"
import {
  componentRef,
  isJson,
  type Json,
  memberOf,
  mergeOutputs,
  operationsOf,
  removeNoise,
  sortComponents,
} from "./openapiSchemas.ts"
import { chooseBlock, nameBodies, nameParameters, shapeSchemas } from "./openapiShapes.ts"
import { openUpEnums } from "./openEnums.ts"
import { describeData, examplesOf, problemComponents, sentenceOf } from "./problemParts.ts"

/** Sources of the document. */
type OpenApiSource = {
  router: AnyTRPCRouter
  /** Version of the service. */
  version: string
  /** The schema of every block type, by component name; `Block` becomes a choice of them. */
  components?: Readonly<Record<string, z.ZodType>>
  /** Endpoints beside the procedures, by path; errors and headers are added. */
  paths?: Readonly<Record<string, Json>>
  /** Webhooks by type of event, and their common parameters. */
  webhooks?: { events: Json; parameters: Json }
}

const tagDescriptions: Record<string, string> = {
  Workspaces: "Workspaces, their members, invitations and variables",
  Bots: "Flows: import, read, change, publish",
  Catalogue: "What editors offer to authors",
  Results: "Recorded outcomes of chats",
  Webhooks: "Endpoints that receive events, and the deliveries to them",
  Users: "The caller and the caller's API tokens",
  Credentials: "Secrets that flows use by name",
  Operator: "Workspaces, bots and users of the whole service, for those who operate it",
  Conversations: "Chats that gateways steer, and people who take over",
  Chat: "The runtime: start and continue chats, without a token",
}

/** Generates the document. Throws when an operation lacks a name, a tag, admissions or an example. */
export function generateOpenApi(source: OpenApiSource): Json {
  const { router, version, components = {}, paths = {}, webhooks } = source
  const generated = generateOpenApiDocument(router, {
    title: "Parley",
    version,
    description:
      "Store conversational flows, publish them, run them as chats. Success is 200 with a JSON " +
      "object; every error is the document `Problem`. Unknown request members are ignored, and " +
      "members may be added to responses. `x-admits` of an operation names who may call it, as explained " +
      "in `x-admissions`; several names when that depends on the request. `x-scope` is the scope that an API " +
      "token with scopes must have, as explained in `x-scopes`; `any`: it need not. Every response has the header " +
      "`x-request-id`; a 500 is a bug, and is logged under that id. Operations that declare the header " +
      "`Idempotency-Key` carry out repeated requests once; every other POST refuses it with 400, apart from " +
      "calls of other systems to waiting chats. `HEAD` works wherever `GET` does. The events that webhook " +
      `endpoints receive are described at \`${webhooksPath}\`.`,
    license: { name: "UNLICENSED", identifier: "LicenseRef-UNLICENSED" },
    // Relative to where the document was read, so that it fits every name of the host.
    baseUrl: "/",
    securitySchemes: {
      accessToken: {
        type: "http",
        scheme: "bearer",
        description: "`Authorization: Bearer parley_pat_…`",
      },
    },
    defs: { ...problemComponents, ...components },
  })
  // A deep copy, because the generator shares objects between operations.
  const document: Json = JSON.parse(JSON.stringify(generated))
  document.security = [{ accessToken: [] }]
  document["x-admissions"] = { ...admissions }
  document["x-scopes"] = { ...scopes }
  Object.assign(memberOf(document, "paths"), structuredClone(paths))
  adjustOperations(document, router)
  const tags = tidyOperations(document)
  document.tags = tags.map((name) => ({ name, description: tagDescriptions[name] }))
  addComponents(document)
  if (webhooks) {
    document.webhooks = structuredClone(webhooks.events)
    Object.assign(memberOf(document, "components", "parameters"), webhooks.parameters)
  }
  removeNoise(document)
  shapeSchemas(document)
  mergeOutputs(document)
  chooseBlock(document, Object.keys(components))
  openUpEnums(document)
  describeData(document)
  nameBodies(document)
  nameParameters(document)
  sortComponents(document)
  return document
}

/** Adds metadata of procedures that trpc-to-openapi ignores. */
function adjustOperations(document: Json, router: AnyTRPCRouter): void {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  for (const procedure of Object.values(procedures)) {
    const meta = metaOf(procedure)
    if (!meta.openapi) continue
    const { path, method } = meta.openapi
    const operation = memberOf(document, "paths", path, method.toLowerCase())
    describeParameters(operation, inputShape(procedure))
    if (meta.takesWholeBody) unwrapBody(operation)
    if (meta.takesKey) declareKey(operation)
    if (meta.example) addExample(operation, meta.example)
    if (meta.admits !== undefined) operation["x-admits"] = [meta.admits].flat()
    if (meta.scope !== undefined) operation["x-scope"] = meta.scope
    const headers = memberOf(operation, "responses", "200", "headers")
    headers["parley-ignored"] = componentRef("headers", "ParleyIgnored")
    if (meta.deprecated) declareEnd(operation, meta.deprecated)
    if (meta.openapi.protect ?? true) delete operation.security
    else operation.security = meta.takesToken ? [{}, { accessToken: [] }] : []
  }
}

/** trpc-to-openapi 3.3 loses the descriptions of optional parameters. */
function describeParameters(operation: Json, shape: ReturnType<typeof inputShape>): void {
  for (const parameter of parametersOf(operation)) {
    const schema = shape[String(parameter.name)]
    const printed = isJson(parameter.schema) ? parameter.schema : {}
    const own = schema && z.globalRegistry.get(schema)?.description
    parameter.description = own ?? printed.description
    delete printed.description
  }
}

/** Where the whole body is one member of the input, callers send only that member. */
function unwrapBody(operation: Json): void {
  const media = jsonOf(memberOf(operation, "requestBody"))
  media.schema = memberOf(media, "schema", "properties", "body")
}

/** Declares the `Idempotency-Key` header and its responses. */
function declareKey(operation: Json): void {
  const key = componentRef("parameters", "IdempotencyKey")
  operation.parameters = [...parametersOf(operation), key]
  const responses = memberOf(operation, "responses")
  const headers = memberOf(responses, "200", "headers")
  headers["idempotent-replayed"] = componentRef("headers", "IdempotentReplayed")
  // A turn that waits in the queue, or for calls of the flow, may also time out.
  for (const status of [408, 409, 422]) responses[status] ??= {}
}

/** Declares that an operation will go. */
function declareEnd(operation: Json, { since, sunset, instead }: Deprecation): void {
  operation.deprecated = true
  operation.description = `Deprecated since ${since}, works until ${sunset}: use \`${instead}\`. ${operation.description}`
  Object.assign(memberOf(operation, "responses", "200", "headers"), {
    deprecation: componentRef("headers", "Deprecation"),
    sunset: componentRef("headers", "Sunset"),
  })
}

/** Tidies all operations; returns the tags that they have. */
function tidyOperations(document: Json): string[] {
  const operations = operationsOf(document)
  for (const operation of operations) tidyOperation(operation)
  const tags = new Set(operations.flatMap((operation) => operation.tags))
  return Object.keys(tagDescriptions).filter((name) => tags.has(name))
}

/** Adds examples of requests and responses. */
function addExample(operation: Json, { path, query, request, response }: OperationExample): void {
  for (const parameter of parametersOf(operation)) {
    const values: Readonly<Record<string, unknown>> =
      parameter.in === "path" ? { ...exampleIds, ...path } : { ...query }
    const example = values[String(parameter.name)]
    if (example !== undefined) parameter.example = example
  }
  if (request) jsonOf(memberOf(operation, "requestBody")).example = request
  jsonOf(memberOf(operation, "responses", "200")).example = response
}

function parametersOf({ parameters }: Json): Json[] {
  return Array.isArray(parameters) ? parameters.filter(isJson) : []
}

function tidyOperation(operation: Json): void {
  describeNeeds(operation)
  if (isJson(operation.requestBody)) allowNoBody(operation.requestBody)
  operation.parameters = [...parametersOf(operation), componentRef("parameters", "RequestId")]
  const responses = memberOf(operation, "responses")
  const success = memberOf(responses, "200")
  if (success.description === "Successful response") success.description = "Done"
  Object.assign(memberOf(success, "headers"), rateLimitHeaders)
  // Bugs are not part of the contract of an operation.
  delete responses["500"]
  const own = Object.keys(responses).map(Number)
  const usual = usualErrors(operation)
  for (const status of [...new Set([...own, ...usual])].filter((each) => each >= 400)) {
    responses[status] = componentRef("responses", responseName(status))
  }
}

function jsonOf(body: Json): Json {
  return memberOf(body, "content", "application/json")
}

/** An empty body counts as an empty object. */
function allowNoBody(requestBody: Json): void {
  const schema = memberOf(jsonOf(requestBody), "schema")
  if (schema.$ref === undefined && schema.required === undefined) delete requestBody.required
}

function usualErrors(operation: Json): number[] {
  return [
    400,
    ...(takesToken(operation) ? [401] : []),
    403,
    404,
    ...(operation.requestBody !== undefined ? [413, 415] : []),
    429,
    503,
  ]
}

/** Whether a token is looked at, needed or not; an operation without `security` needs one. */
function takesToken({ security }: Json): boolean {
  return !Array.isArray(security) || security.length > 0
}

function responseName(status: number): string {
  const words = kindByStatus[status as keyof typeof kindByStatus].toLowerCase().split("_")
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
}

function addComponents(document: Json): void {
  const components = memberOf(document, "components")
  const schemas = memberOf(components, "schemas")
  for (const name of Object.keys(schemas)) if (name.startsWith("error.")) delete schemas[name]
  const used = new Set(JSON.stringify(document.paths).match(/#\/components\/responses\/\w+/g) ?? [])
  components.responses = Object.fromEntries(
    Object.keys(kindByStatus)
      .map((status): [string, Json] => [responseName(+status), responseOf(+status)])
      .filter(([name]) => used.has(`#/components/responses/${name}`)),
  )
  const isUsed = (name: string) =>
    JSON.stringify(document).includes(`#/components/headers/${name}"`)
  components.headers = Object.fromEntries(Object.entries(headers).filter(([name]) => isUsed(name)))
  components.parameters = parameters
}

function responseOf(status: number): Json {
  const all = Object.keys(errorReasons) as ParleyErrorCode[]
  const reasons = all.filter((reason) => errorReasons[reason].status === status)
  const mayComeBack = status === 429 || status === 503
  return {
    description: reasons.map((reason) => `- ${sentenceOf(reason)}`).join("\n"),
    headers: {
      "x-request-id": componentRef("headers", "RequestId"),
      ...(mayComeBack && { "retry-after": componentRef("headers", "RetryAfter") }),
      ...(status === 429 && rateLimitHeaders),
      ...(status === 401 && { "www-authenticate": componentRef("headers", "WwwAuthenticate") }),
    },
    content: {
      "application/problem+json": {
        schema: componentRef("schemas", "Problem"),
        ...examplesOf(reasons),
      },
    },
  }
}

/** Only where a limit counts the call: the operator switches limits on. */
const rateLimitHeaders: Json = {
  "x-ratelimit-limit": componentRef("headers", "RateLimitLimit"),
  "x-ratelimit-remaining": componentRef("headers", "RateLimitRemaining"),
  "x-ratelimit-reset": componentRef("headers", "RateLimitReset"),
}

const headers: Json = {
  RateLimitLimit: {
    description:
      "How many requests the limit allows in its period; absent: no limit counts this request. Of " +
      "several limits, the one that is reached first",
    schema: { type: "integer", minimum: 1 },
  },
  RateLimitRemaining: {
    description: "How many more requests the same limit allows now",
    schema: { type: "integer", minimum: 0 },
  },
  RateLimitReset: {
    description: "Seconds until the whole of the same limit is available again",
    schema: { type: "integer", minimum: 1 },
  },
  RequestId: {
    description: "Id of this request, in the response and in the log",
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "Seconds to wait before retrying",
    schema: { type: "integer", minimum: 1 },
  },
  WwwAuthenticate: { description: "Always `Bearer`", schema: { type: "string" } },
  ParleyIgnored: {
    description:
      "Names of the query and of the body that the operation does not know, percent-encoded and cut: at most " +
      "five of each, then `...`. Absent: it knows all. Nothing is refused for them",
    schema: { type: "string" },
  },
  Deprecation: {
    description: "Since when the operation is deprecated (RFC 9745): `@` and seconds since 1970",
    schema: { type: "string" },
  },
  Sunset: {
    description: "Until when the operation works at least (RFC 8594), as a date of HTTP",
    schema: { type: "string" },
  },
  IdempotentReplayed: {
    description: "`true` when this is the stored response to an earlier request with the same key",
    schema: { type: "string", enum: ["true"] },
  },
}

const parameters: Json = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    description:
      "Id for this request, returned in the response; generated when absent or malformed",
    schema: { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,64}$" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes the request safe to repeat for 24 hours: the same key with the same body returns the " +
      "stored response; with another body it is refused with 422. A key belongs to one session, that " +
      "of a start to one bot, and in a preview also to the caller. Use a random value such as a UUID: " +
      "a caller who knows the key and the body of a start can repeat it and access its chat",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
}
