/** What every refusal over REST must look like. */
import { STATUS_CODES } from "node:http"
import { expect } from "vitest"
import type { Reply } from "./server.ts"

/** Holds an answer to a status and a code, in the one error document. */
export function expectRefusal(
  { status, headers, body }: Reply,
  wanted: number,
  code: string,
): void {
  expect([status, body.code], JSON.stringify(body)).toEqual([wanted, code])
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8")
  expect(headers.get("x-request-id")).toBe(body.instance)
  expectDocument(body, wanted)
}

/** The members of RFC 9457 and those of tRPC; nothing else, and nothing that only we should know. */
export function expectDocument(body: Reply["body"], status: number): void {
  const { type, title, status: told, detail, instance, message, code, issues, ...rest } = body
  expect(rest).toEqual({})
  expect(type).toBe(`/problems/${String(code).toLowerCase().replaceAll("_", "-")}`)
  expect([title, told]).toEqual([STATUS_CODES[status], status])
  expect(message).toMatch(/\w/)
  expect(detail).toBe(message)
  expect(instance).toMatch(/^[\w.:-]{1,64}$/)
  expect(issues === undefined || Array.isArray(issues)).toBe(true)
  expect(JSON.stringify(body)).not.toMatch(
    /node_modules|\.ts\b|\bat .*:\d+|Zod|kysely|postgres|select |insert |duplicate key|relation|constraint|Unexpected token/i,
  )
}
