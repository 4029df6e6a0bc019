/** Webhook, Zapier, Make.com and Pabbly: make an HTTP request and keep parts of the response. */
import type { z } from "zod"
import { badRequest } from "../../../../lib/errors.ts"
import { pick, readJson } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { maxLogDetails } from "../../../budget/fuel.ts"
import { type Failure, isFailure, type Outcome } from "../../../calls.ts"
import type { CatalogueTraits } from "../../../schema/catalogueTraits.ts"
import type { Log } from "../../../schema/log.ts"
import { hasFixedHost } from "../../../variables/fixedHost.ts"
import { forCalls } from "../../../variables/workspaceVariables.ts"
import type { Action, BlockBase, BlockContext, Step } from "../../block.ts"
import type { Problem } from "../../declared.ts"
import { keepMapped, type MappedResponse, mappingStep } from "../../responseMapping.ts"
import { asCall, bodyTemplateOf, hasBody, methodOf, type OwnRequest, requestOf } from "./request.ts"
import {
  type HttpOptions,
  type HttpRequestBlock,
  httpRequestBlockSchema,
  makeComBlockSchema,
  pabblyBlockSchema,
  zapierBlockSchema,
} from "./schema.ts"

type Kinds = "http" | "script"
type HttpBlock = BlockBase & { webhookId?: string | undefined; options?: HttpOptions | undefined }

/** The default timeout, as imported bots expect it. */
const defaultTimeoutSeconds = 120

export const httpRequestBlock: Action<HttpRequestBlock, Kinds> = {
  ...httpBlock(
    httpRequestBlockSchema,
    catalogueOf("HTTP request", "Calls an API and keeps parts of its answer", "arrow-left-right"),
  ),
  run: (block, context) => (isForClient(block) ? handOver(block, context) : send(block, context)),
  waits: (block) => isForClient(block) && Boolean(block.options?.webhook?.url),
  receive: ({ options }, text, context) =>
    mappingStep(options?.responseVariableMapping, readReport(text), context),
}

export const zapierBlock = httpBlock(
  zapierBlockSchema,
  catalogueOf("Zapier", "Starts a Zap with the values of the chat", "zap"),
)
export const makeComBlock = httpBlock(
  makeComBlockSchema,
  catalogueOf("Make.com", "Starts a scenario at Make.com with the values of the chat", "workflow"),
)
export const pabblyBlock = httpBlock(
  pabblyBlockSchema,
  catalogueOf("Pabbly", "Starts a workflow at Pabbly with the values of the chat", "cable"),
)

function catalogueOf(label: string, description: string, icon: string): CatalogueTraits {
  return { label, description, icon, category: "automation" }
}

function httpBlock<B extends HttpBlock>(
  schema: z.ZodType<B, B>,
  catalogue: Action<B>["catalogue"],
): Action<B, Kinds> {
  return {
    kind: "action",
    schema,
    catalogue,
    upgrade: { from3, from5 },
    unfilled: ["variablesForTest"],
    sendsBody: ({ options }) =>
      options?.webhook?.url?.trim() && hasBody(methodOf(options))
        ? bodyTemplateOf(options)
        : undefined,
    problems: ({ options }) => {
      const url = options?.webhook?.url?.trim()
      if (options && url) return [...schemeProblem(url), ...bodyProblem(options)]
      const at = options?.webhook ? ["options", "webhook"] : options ? ["options"] : []
      return [{ rule: "http-without-url", at, message: "The request has no URL" }]
    },
    signsRequest: true,
    sendsSecrets: (block) =>
      !isForClient(block) && hasFixedHost(block.options?.webhook?.url ?? "")
        ? [["options", "webhook"]]
        : [],
    sendsKeyTo: ({ options }) => {
      const { credentialsId, webhook } = options ?? {}
      if (!credentialsId || !webhook?.url) return undefined
      const at = ["options", "webhook", "url"]
      return { credentialsId, at, address: webhook.url, hasProvider: false }
    },
    run: send,
    resume: { http: answered, script: keepMapped },
  }
}

/** Clients get no secret: a request with a credential is made by the service. */
const isForClient = ({ options }: HttpBlock) =>
  options?.isExecutedOnClient === true && !options.credentialsId

function schemeProblem(url: string): Problem[] {
  // A variable may hold the whole address, or its beginning.
  if (/^(?:https?:\/\/|\{\{)/i.test(url)) return []
  const message = "The address must begin with https://; the request is not sent"
  return [{ rule: "address-without-scheme", at: ["options", "webhook", "url"], message }]
}

/** Reports a body in the form of JSON that no values of its variables make valid. */
function bodyProblem(options: HttpOptions): Problem[] {
  const body = hasBody(methodOf(options)) ? bodyTemplateOf(options) : ""
  if (!/^\s*(?:\[|\{(?!\{))/.test(body) || mayBeJson(body)) return []
  const message = "The body is not valid JSON and is sent as plain text"
  return [{ rule: "invalid-json", at: ["options", "webhook", "body"], message }]
}

/** Whether some values make a template JSON: tokens may be values, members, or nothing. */
function mayBeJson(template: string): boolean {
  return ["0", '"a":0', ""].some((value) => isJson(template.replace(tokens, value)))
}

const tokens = /\{\{=[\s\S]*?=\}\}|\{\{[\s\S]*?\}\}/g

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function send(block: HttpBlock, context: BlockContext): Step<Kinds> {
  const { options } = block
  if (!options?.webhook) return {}
  // A visitor who can choose the host would get the secrets.
  const isFixed = hasFixedHost(options.webhook.url ?? "", context.variables)
  const request = requestOf(options, isFixed ? forCalls(context) : context)
  if (!request) return noAddress
  if (request.problem !== undefined) return notSent(request.problem, block, context)
  const seconds = Math.min(Math.max(options.timeout ?? defaultTimeoutSeconds, 1), 120)
  const hasKey = request.headers.some(([name]) => name.toLowerCase() === "idempotency-key")
  const call = {
    kind: "http" as const,
    request: asCall(request),
    timeoutMs: seconds * 1000,
    sendsIdempotencyKey: !hasKey,
    ...nonEmpty({ proxyCredentialsId: options.proxyCredentialsId }),
    ...(options.credentialsId && { credential: { id: options.credentialsId, type: "http" } }),
  }
  return { next: { call } }
}

function answered(block: HttpBlock, outcome: Outcome<"http">, context: BlockContext): Step<Kinds> {
  const request = requestOf(block.options ?? {}, context)
  const response = responseOf(outcome)
  const reason = isFailure(outcome) && outcome.reason ? reasons[outcome.reason] : undefined
  const hasSucceeded = response.statusCode < 400
  const details = detailsOf({ ...response, data: shownOf(outcome, response) }, request)
  const isUnsigned = isFailure(outcome) && outcome.reason === "credentials"
  const log: Log = hasSucceeded
    ? { status: "success", description: "HTTP request answered", details, isInternal: true }
    : reason
      ? isUnsigned && block.options?.credentialsId
        ? { status: "error", description: unsigned, details: whyOf(outcome), isInternal: true }
        : // Sent in live chats too, so without the request.
          { status: "error", description: reason }
      : { status: "error", description: "HTTP request failed", details, isInternal: true }
  return { log: [log], ...mappingStep(block.options?.responseVariableMapping, response, context) }
}

function responseOf(outcome: Outcome<"http">): MappedResponse {
  if (!isFailure(outcome)) return { statusCode: outcome.status, data: readJson(outcome.text) }
  const { reason, description, details } = outcome
  const statusCode = reason === "timeout" ? 408 : reason === "blocked" ? 400 : 500
  return { statusCode, data: { message: details ?? description } }
}

const unsigned = "The credential of the HTTP request could not be used"
const whyOf = ({ description, details }: Failure) => details ?? description

const reasons: Partial<Record<string, string>> = {
  blocked: "The address of the HTTP request is not allowed",
  credentials: "The proxy of the HTTP request could not be used",
}

/** A log keeps only the beginning, so a long answer is cut before printing. */
function shownOf(outcome: Outcome<"http">, { data }: MappedResponse): unknown {
  const isLong = !isFailure(outcome) && outcome.text.length > 2 * maxLogDetails
  return isLong ? outcome.text.slice(0, maxLogDetails) : data
}

// Headers are left out, because authors put their keys there.
function detailsOf({ statusCode, data }: MappedResponse, request: OwnRequest | undefined): string {
  const { method, body } = request ?? {}
  // Masks are for people to read.
  const url = request?.url.replaceAll(encodeURIComponent("•••"), "•••")
  return JSON.stringify({ statusCode, response: data, request: { url, method, body: body?.text } })
}

function handOver(block: HttpBlock, context: BlockContext): Step<Kinds> {
  if (!block.options?.webhook) return {}
  const request = requestOf(block.options, context)
  if (!request) return noAddress
  if (request.problem !== undefined) return notSent(request.problem, block, context)
  const { url, method, body } = request
  // Copying the object would lose a member of this name.
  const headers = request.headers.filter(([name]) => name !== "__proto__")
  const httpRequestToExecute = {
    url,
    method,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(body ? { body: body.json ? body.json.value : body.text } : {}),
  }
  return { act: [{ type: "httpRequestToExecute", httpRequestToExecute }], next: "waitForClient" }
}

function readReport(text: string): MappedResponse {
  const report = readJson(text)
  const statusCode = pick(report, "statusCode")
  if (typeof report !== "object" || report === null || typeof statusCode !== "number") {
    throw badRequest("The outcome of the HTTP request must be JSON with statusCode and data")
  }
  return { statusCode, data: pick(report, "data") }
}

const noAddress: Step<Kinds> = {
  log: [{ status: "error", description: "The HTTP request has no address" }],
}

/** Logs for authors which header cannot be sent. */
function notSent(details: string, { options }: HttpBlock, context: BlockContext): Step<Kinds> {
  const message = "A header of the HTTP request cannot hold its value"
  const response = { statusCode: 400, data: { message } }
  return {
    log: [{ status: "error", description: message, details, isInternal: true }],
    ...mappingStep(options?.responseVariableMapping, response, context),
  }
}

/** Version 3 to 4: the request moves into the block; requests stored separately are lost. */
function from3<B extends HttpBlock>(block: B): B {
  const { webhookId, ...rest } = block
  const webhook = block.options?.webhook ?? { id: webhookId ?? "", method: "POST" }
  return { ...rest, options: { ...block.options, webhook } } as B
}

/** Versions 4 and 5 to the latest: the request no longer has an id. */
function from5<B extends HttpBlock>(block: B): B {
  const { webhookId: _, ...rest } = block
  if (block.options?.webhook === undefined) return rest as B
  const { id: __, ...webhook } = block.options.webhook
  return { ...rest, options: { ...block.options, webhook } } as B
}
