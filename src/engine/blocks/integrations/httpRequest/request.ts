/** Builds the request from a block's options, with the variables filled in. */

import { readJson } from "../../../../lib/foreignJson.ts"
import type { HttpRequest } from "../../../calls.ts"
import { encodeBasic } from "../../../variables/encodeBasic.ts"
import { interpolate, interpolateWith, singleToken } from "../../../variables/interpolate.ts"
import { interpolateHeader } from "../../../variables/interpolateHeader.ts"
import { interpolateUrl, isVisitorInput } from "../../../variables/interpolateUrl.ts"
import { mayHoldMark } from "../../../variables/secretMarks.ts"
import type { BlockContext } from "../../block.ts"
import { filledPairs, type KeyValue } from "../../keyValues.ts"
import { answersObject } from "../answersObject.ts"
import type { HttpOptions } from "./schema.ts"

/** A request without secrets; the query is part of the address. */
export type OwnRequest = {
  url: string
  method: string
  headers: [name: string, value: string][]
  /** Absent: none. `json`: the text is JSON. */
  body?: { text: string; json?: { value: unknown } }
  /** The header that cannot be sent, and why; absent: none. */
  problem?: string
}

/** The request; undefined when it has no address. */
export function requestOf(options: HttpOptions, context: BlockContext): OwnRequest | undefined {
  const url = interpolateUrl(options.webhook?.url, context).trim()
  if (!url) return undefined
  const method = methodOf(options)
  const body = hasBody(method) ? bodyOf(options, context) : undefined
  return {
    url: withQuery(url, filled(options.webhook?.queryParams, context)),
    method,
    ...headersOf(options.webhook?.headers, context),
    ...(body ? { body } : {}),
  }
}

/** The method of the request. */
export function methodOf({ webhook }: HttpOptions): string {
  return webhook?.method ?? "POST"
}

/** The author's own body; "": all values of the chat. */
export function bodyTemplateOf({ isCustomBody, webhook }: HttpOptions): string {
  const own = isCustomBody === true ? webhook?.body : undefined
  return own === undefined || own === "{{state}}" ? "" : own
}

export function asCall({ url, method, headers, body }: OwnRequest): HttpRequest {
  return {
    method,
    url,
    ...(headers.length > 0 ? { headers } : {}),
    ...(body ? { body: bodyInCall(headers, body) } : {}),
  }
}

function filled(pairs: readonly KeyValue[] | undefined, context: BlockContext): [string, string][] {
  return filledPairs(
    (pairs ?? []).map(({ key, value }) => ({
      key: interpolate(key, context),
      value: interpolate(value, context),
    })),
  )
}

function withQuery(url: string, pairs: [string, string][]): string {
  if (pairs.length === 0) return url
  const query = pairs
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join("&")
  // The part after a `#` is not sent.
  const [address = "", ...fragment] = url.split("#")
  return [`${address}${address.includes("?") ? "&" : "?"}${query}`, ...fragment].join("#")
}

function headersOf(pairs: readonly KeyValue[] | undefined, context: BlockContext) {
  const byName = new Map<string, [string, string]>()
  let problem: string | undefined
  for (const { key, value: written } of pairs ?? []) {
    const name = interpolate(key, context)
    if (!name || !written) continue
    if (!token.test(name)) {
      problem ??= "The name of a header contains a character that HTTP does not allow"
      continue
    }
    const filled = interpolateHeader(name, written, context)
    if ("problem" in filled) problem ??= `${name.slice(0, maxNameLength)}: ${filled.problem}`
    else if (filled.value) {
      const { value } = filled
      // A secret is encoded once it is there.
      const encoded = mayHoldMark(value) ? value : encodeBasic(name, value)
      byName.set(name.toLowerCase(), [name, encoded])
    }
  }
  return { headers: [...byName.values()], ...(problem !== undefined && { problem }) }
}

/** A name of a header (RFC 9110, "token"). */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** Max length of a header's name in a log. */
const maxNameLength = 100

/** Whether requests of that method may have a body: the standard (Fetch, "new Request") forbids some. */
export function hasBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD"
}

function bodyOf(options: HttpOptions, context: BlockContext): OwnRequest["body"] {
  const text = bodyText(options, context)
  if (text === "") return undefined
  const value = readJson(text)
  return value === text ? { text } : { text, json: { value } }
}

function bodyText(options: HttpOptions, context: BlockContext): string {
  const own = bodyTemplateOf(options)
  if (own === "") return JSON.stringify(answersObject(context))
  if (singleToken(own) !== undefined) return interpolate(own, context)
  if (!isForm(options) || /^\s*(?:\[|\{(?!\{))/.test(own)) return interpolate(own, context, "json")
  // In a form the words of a visitor stay one value.
  return interpolateWith(own, context, {
    literal() {},
    value: (printed, token) =>
      isVisitorInput(token, context) ? encodeURIComponent(printed.toWellFormed()) : printed,
  })
}

const formType = /x-www-form-urlencoded/i

function isForm({ webhook }: HttpOptions): boolean {
  return (webhook?.headers ?? []).some(
    ({ key, value }) => key?.toLowerCase() === "content-type" && formType.test(value ?? ""),
  )
}

function bodyInCall(headers: [string, string][], { text, json }: NonNullable<OwnRequest["body"]>) {
  if (!json) return { text }
  const isForm = headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && formType.test(value),
  )
  if (isForm && typeof json.value === "object" && json.value !== null) {
    return { form: Object.entries(json.value).flatMap(([name, value]) => formFields(name, value)) }
  }
  // The author's text unchanged: parsing and printing would round large numbers.
  return { text, contentType: "application/json" }
}

function formFields(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((element: unknown) => formFields(name, element))
  return [[name, typeof value === "object" ? JSON.stringify(value) : String(value)]]
}
