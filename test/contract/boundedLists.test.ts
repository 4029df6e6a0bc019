/**
 * What one wrong value costs: the lists and maps of every input have a maximum, and none is looked at beyond
 * the issues that a caller gets. Found in the schemas, so that a new operation or block is in it by itself.
 */
import { type AnyTRPCProcedure, TRPCError } from "@trpc/server"
import { expect, test } from "vitest"
import { z } from "zod"
import { importedBotSchema, readImport } from "../../src/authoring/upgrade/importedBot.ts"
import { listOf, maxIssues, maximumOf } from "../../src/engine/schema/lists.ts"
import { appRouter } from "../../src/routers/app.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { metaOf } from "../../src/routers/trpc.ts"
import { testFileSchema } from "../../src/workshop/files/testFileSchema.ts"
import { type Container, containersIn } from "../support/everyList.ts"

type Input = { name: string; schema: z.core.$ZodType; read(sent: unknown): unknown }

const made = new Map<string, unknown>()

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>

/** Everything that reads what others send: operations, bots in files, files of tests. */
const inputs: Input[] = [
  ...Object.entries(procedures).flatMap(([name, procedure]): Input[] => {
    const { inputs } = procedure._def as unknown as { inputs: z.ZodType[] }
    const [schema] = inputs
    if (schema === undefined) return []
    const { readInput } = metaOf(procedure)
    return [{ name, schema, read: readInput ?? ((sent) => schema.parse(sent)) }]
  }),
  { name: "bot file", schema: importedBotSchema, read: throwing(readImport) },
  { name: "test file", schema: testFileSchema, read: (sent) => testFileSchema.parse(sent) },
]

function throwing(read: typeof readImport) {
  return (sent: unknown) => {
    const outcome = read(sent)
    if (!outcome.success) throw outcome.error
    return outcome.data
  }
}

const places = inputs.flatMap((input) =>
  containersIn(input.schema).map((container) => ({ ...input, container })),
)

/** Blocks are the same wherever a flow is: their lists are filled in one that is made and one from a file. */
const readOnce = places.filter(
  ({ name, container: { path } }) =>
    !path.includes("blocks[]") || name === "bot.create" || name === "bot file",
)

/** More than an issue for each of a few hundred lists at most, and less than one for each wrong value. */
const most = 4_000
/** Enough to tell apart one for each value. */
const many = 10_000

test("every list and map of every input has a maximum", () => {
  const unbounded = places
    .filter(({ container }) => !(maximumOf(container.schema) <= 100_000))
    .map(({ name, container: { path } }) => `${name}: ${path}`)
  expect([...new Set(unbounded)]).toEqual([])
})

test("a list or map of too many wrong values costs one issue, and thousands in one that may have them no more than a caller gets", () => {
  const tooDear: string[] = []
  for (const { name, container, read } of readOnce) {
    const maximum = maximumOf(container.schema)
    for (const size of [Math.max(many, maximum + 1), Math.min(many, maximum)]) {
      const { issues, reported } = costOf(read, container.around(filled(container, size)))
      if (issues > most || reported > maxIssues) {
        tooDear.push(`${name}: ${container.path} of ${size}: ${issues}, ${reported} reported`)
      }
    }
  }
  expect([...new Set(tooDear)]).toEqual([])
})

test("validation stops inside of a list", () => {
  let looks = 0
  const wrong = new Proxy(
    Array.from({ length: 5_000 }, () => 0),
    {
      get: (target, name) => {
        if (name !== "length") looks += 1
        return Reflect.get(target, name)
      },
    },
  )
  expect(listOf(z.string()).safeParse(wrong).error?.issues).toHaveLength(maxIssues)
  expect(looks).toBe(maxIssues)
})

/** Zeros, or an object where zeros are right. */
function filled({ kind, schema }: Container, size: number): unknown {
  const { def } = schema._zod as { def: { element?: z.ZodType; valueType?: z.ZodType } }
  const wrong = (def.element ?? def.valueType)?.safeParse(0).success ? { type: 0 } : 0
  const key = `${kind} ${size} ${typeof wrong}`
  const contents = made.get(key) ?? fill(kind, size, wrong)
  made.set(key, contents)
  return contents
}

function fill(kind: Container["kind"], size: number, wrong: unknown): unknown {
  if (kind === "list") return new Array(size).fill(wrong)
  return Object.fromEntries(Array.from({ length: size }, (_, at) => [`name ${at}`, wrong]))
}

/** Counts the issues that become sentences, those inside of choices included. */
function costOf(read: (sent: unknown) => unknown, sent: unknown) {
  const { customError } = z.config()
  let issues = 0
  z.config({
    customError: (issue) => {
      issues += 1
      return customError?.(issue)
    },
  })
  try {
    read(sent)
    return { issues, reported: 0 }
  } catch (error) {
    if (!(error instanceof z.ZodError)) return { issues, reported: 0 }
    const refusal = new TRPCError({ code: "BAD_REQUEST", cause: error })
    const { issues: reported = [] } = describeRefusal(refusal, { input: sent })
    return { issues: Math.max(issues, countOf(error.issues)), reported: reported.length }
  } finally {
    z.config({ customError })
  }
}

function countOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => {
    const inner = issue.code === "invalid_union" ? issue.errors.flat() : []
    return sum + 1 + countOf(inner)
  }, 0)
}
