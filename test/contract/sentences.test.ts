/** Every schema that requests are read by refuses in sentences for people, never in phrases of Zod. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { expect, test } from "vitest"
import { z } from "zod"
import { flattenIssues } from "../../src/authoring/lint/issues.ts"
import { importedBotSchema } from "../../src/authoring/upgrade/importedBot.ts"
import {
  credentialTypes,
  parseCredentialData,
} from "../../src/effects/credentials/credentialTypes.ts"
import { blockSchemas } from "../../src/engine/blocks/registry.ts"
import { appRouter } from "../../src/routers/app.ts"

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

const router: AnyTRPCRouter = appRouter
const procedures: AnyTRPCProcedure[] = Object.values(router._def.procedures)
const schemas = schemasIn([
  ...procedures.flatMap(({ _def }) => (_def as unknown as { inputs: Schema[] }).inputs),
  importedBotSchema,
  ...blockSchemas,
])

test("what any schema refuses is said in a sentence", () => {
  expect(schemas.size).toBeGreaterThan(500)
  const codes = new Set<string>()
  const messages = new Set<string>()
  for (const schema of schemas) {
    for (const value of wrongFor(schema)) {
      const { error } = z.safeParse(schema, value)
      if (!error) continue
      collectCodes(error.issues, codes)
      for (const { message } of flattenIssues(error.issues, value)) messages.add(message)
    }
  }
  for (const message of messages) expectSentence(message)
  expect([...codes].sort()).toEqual(possibleCodes(schemas))
  expect(messages.size).toBeGreaterThan(50)
})

test("long lists of what is allowed are shortened", () => {
  const { error } = z.object({ type: z.enum(credentialTypes) }).safeParse({ type: "fax" })
  const [issue] = flattenIssues(error?.issues ?? [], { type: "fax" })
  expect(issue?.message).toMatch(/^must be one of "smtp", .* and \d+ more$/)
  const kinds = z.discriminatedUnion("type", [
    z.object({ type: z.literal("a") }),
    z.object({ type: z.literal("b") }),
  ])
  const unknown = flattenIssues(kinds.safeParse({ type: "c" }).error?.issues ?? [], { type: "c" })
  expect(unknown).toMatchObject([{ path: ["type"], message: 'must be one of "a", "b"' }])
  const missing = flattenIssues(kinds.safeParse({}).error?.issues ?? [], {})
  expect(missing).toMatchObject([{ path: ["type"], message: "is required" }])
})

test("what the data of any credential lacks is said in a sentence", () => {
  for (const type of credentialTypes) {
    for (const data of [{}, everything(1), everything(""), everything(" ")]) {
      const read = parseCredentialData(type, data)
      const issues = read && !read.success ? flattenIssues(read.error.issues, data) : []
      for (const { message } of issues) expectSentence(message)
    }
  }
})

/** The predicate of a sentence about the value, or a sentence; short, and without words of the validator. */
function expectSentence(message: string): void {
  expect(message).toMatch(/^(?:(?:must|is|may) |[A-Z])[^\n]{3,300}[^.\s]$/)
  expect(message).not.toMatch(
    /Invalid|Too (?:small|big)|expected|received|Unrecognized|[<>]=|undefined|\[object|not valid$/,
  )
}

/** Values of every kind, and those just beyond the bounds of a schema. */
function wrongFor(schema: Schema): unknown[] {
  const kinds = [undefined, null, true, 0.5, -1, 1e15, "", " ", "?", [], [[]], {}, { "?": 1 }]
  const { minimum, maximum, minLength, maxLength } = boundsOf(schema)
  const beyond = [minimum - 1, maximum + 1].filter(Number.isFinite)
  const lengths = [minLength - 1, maxLength + 1].filter((each) => each >= 0 && each <= 5_000_000)
  const long = lengths.flatMap((length) => [
    "x".repeat(length),
    ...(length < 20_000 ? [Array.from({ length }, () => null)] : []),
  ])
  return [...kinds, ...beyond, ...long, everything(1), everything("?")]
}

const names = ["type", "name", "id", "email", "url", "version"]

function everything(value: unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

type Bounds = { minimum: number; maximum: number; minLength: number; maxLength: number }

function boundsOf(schema: Schema): Bounds {
  const found = checksOf(schema)
  const boundOf = (check: string, member: string): number => {
    return Number(found.find((each) => each.check === check)?.[member] ?? Number.NaN)
  }
  return {
    minimum: boundOf("greater_than", "value"),
    maximum: boundOf("less_than", "value"),
    minLength: boundOf("min_length", "minimum"),
    maxLength: boundOf("max_length", "maximum"),
  }
}

type Check = { check: string } & Record<string, unknown>

function checksOf(schema: Schema): Check[] {
  const checks = schema._zod.def.checks ?? []
  const own = schema._zod.def as unknown as Check
  return [...checks.map(({ _zod }) => _zod.def as unknown as Check), ...(own.check ? [own] : [])]
}

/** The codes of Zod that these schemas can lead to, by what they are made of. */
function possibleCodes(all: Iterable<Schema>): string[] {
  const codeByType: Readonly<Record<string, string>> = {
    enum: "invalid_value",
    literal: "invalid_value",
    union: "invalid_union",
  }
  const codeByCheck: Readonly<Record<string, string>> = {
    greater_than: "too_small",
    less_than: "too_big",
    min_length: "too_small",
    max_length: "too_big",
    length_equals: "too_small",
    number_format: "invalid_type",
    string_format: "invalid_format",
    multiple_of: "not_multiple_of",
    custom: "custom",
  }
  const codes = new Set<string>()
  for (const schema of all) {
    const { type } = schema._zod.def
    codes.add(codeByType[type] ?? "invalid_type")
    for (const { check } of checksOf(schema)) {
      // Checks that only change a value, such as trimming, refuse nothing.
      if (check !== "overwrite") codes.add(codeByCheck[check] ?? check)
    }
    const { keyType } = schema._zod.def as unknown as { keyType?: Schema }
    if (keyType?._zod.def.checks?.length) codes.add("invalid_key")
    const { catchall } = schema._zod.def as unknown as { catchall?: Schema }
    if (catchall?._zod.def.type === "never") codes.add("unrecognized_keys")
  }
  return [...codes].sort()
}

function collectCodes(issues: readonly Issue[], codes: Set<string>): void {
  for (const issue of issues) {
    codes.add(issue.code)
    if (issue.code === "invalid_union") for (const inner of issue.errors) collectCodes(inner, codes)
    if (issue.code === "invalid_key") collectCodes(issue.issues, codes)
  }
}

/** The schemas and all that they are made of, each once. */
function schemasIn(roots: readonly unknown[]): Set<Schema> {
  const found = new Set<Schema>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) {
      for (const each of value) visit(each)
      return
    }
    if (!("_zod" in value)) return
    const schema = value as Schema
    // A transformation only ever gets what the schema before it has let through.
    if (found.has(schema) || schema._zod.def.type === "transform") return
    found.add(schema)
    const { checks: _, ...def } = schema._zod.def as unknown as Record<string, unknown>
    if (typeof def.getter === "function") visit(def.getter())
    const shape = def.shape as object | undefined
    for (const member of [...Object.values(def), ...Object.values(shape ?? {})]) visit(member)
  }
  visit(roots)
  return found
}
