/** What every refusal over REST must look like. */
import { STATUS_CODES } from "node:http"
import { expect } from "vitest"
import { errorCodeOf, errorReasons, type ParleyErrorCode } from "../../src/lib/errors.ts"
import { expectData } from "./expectData.ts"
import type { Reply } from "./server.ts"

/** Holds an answer to a status and a reason, in the one error document. */
export function expectRefusal(
  { status, headers, body }: Reply,
  wanted: number,
  reason: ParleyErrorCode,
): void {
  expect([status, body.reason], JSON.stringify(body)).toEqual([wanted, reason])
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8")
  expect(headers.get("x-request-id")).toBe(body.instance)
  expectDocument(body, wanted)
}

/** The members of RFC 9457 and those of tRPC; nothing else, and nothing that only we should know. */
export function expectDocument(body: Reply["body"], status: number): void {
  const { type, title, status: told, detail, instance, message, code, issues, ...rest } = body
  const { reason, data, ...unknown } = rest as { reason: ParleyErrorCode; data?: unknown }
  expect(unknown).toEqual({})
  expectData(reason, data)
  expect(errorReasons[reason]?.status, JSON.stringify(body)).toBe(status)
  expect(code).toBe(errorCodeOf(reason))
  expect(type).toBe(`/problems/${reason.toLowerCase().replaceAll("_", "-")}`)
  expect([title, told]).toEqual([STATUS_CODES[status], status])
  expect(message).toMatch(/\w/)
  expect(detail).toBe(message)
  expect(instance).toMatch(/^[\w.:-]{1,64}$/)
  expect(issues === undefined || Array.isArray(issues)).toBe(true)
  expect(JSON.stringify(body)).not.toMatch(
    /node_modules|\.ts\b|\bat [^"]*:\d+|Zod|kysely|postgres|select |insert |duplicate key|relation|constraint|Unexpected token/i,
  )
}
