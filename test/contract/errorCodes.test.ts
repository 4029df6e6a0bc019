/** The table of reasons for refusals, the code that throws them, and the document hold each other. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { expect, test } from "vitest"
import { errorCodeOf, errorReasons, kindOf, type ParleyErrorCode } from "../../src/lib/errors.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const reasons = Object.keys(errorReasons) as ParleyErrorCode[]

/** What makes refusals: the class, and each function that `errors.ts` exports and that returns one. */
const errorsText = readFileSync(join(root, "src/lib/errors.ts"), "utf8")
const functions = errorsText.matchAll(/^export function (\w+)\([^)]*\): AppError \{/gm)
const makers = ["AppError", ...[...functions].map(([, name = ""]) => name)]

/** Where a refusal is made, by what, and the reasons that are written there. */
type Made = { path: string; maker: string; named: string[] }

const made = sourceFiles().flatMap((path) => refusalsIn(path))

test("every refusal that is thrown names a reason of the table", () => {
  expect(made.length).toBeGreaterThan(150)
  const named = made.flatMap((each) => each.named)
  expect(named.filter((reason) => !Object.hasOwn(errorReasons, reason))).toEqual([])
  // A reason that is passed on comes from another refusal, whose own reason is one of the table.
  const passedOn = made.filter((each) => each.maker === "AppError" && each.named.length === 0)
  expect([...new Set(passedOn.map(({ path }) => path))].sort()).toEqual([
    "src/lib/errors.ts",
    "src/routers/refusal.ts",
  ])
})

test("every reason of the table is thrown somewhere", () => {
  const used = new Set(made.flatMap(({ named }) => named))
  expect(reasons.filter((reason) => !used.has(reason))).toEqual([])
  const called = new Set(made.map(({ maker }) => maker))
  expect(makers.filter((maker) => !called.has(maker))).toEqual([])
})

test("every kind is one that tRPC knows, so that its clients find their words", () => {
  expect(reasons.map(kindOf).filter((kind) => !(kind in TRPC_ERROR_CODES_BY_KEY))).toEqual([])
})

test("the codes that callers knew before there were reasons are still codes", () => {
  const finer = [
    "CHAT_PAUSED",
    "CHAT_ENDED",
    "CHAT_EXPIRED",
    "BOT_CLOSED",
    "ORIGIN_NOT_ALLOWED",
  ].concat("CHATS_LIMIT_REACHED", "FLOW_TOO_EXPENSIVE") as ParleyErrorCode[]
  for (const reason of finer) expect(errorCodeOf(reason)).toBe(reason)
  expect(errorCodeOf("BOT_SUSPENDED")).toBe("BOT_CLOSED")
  expect(errorCodeOf("STALE_DRAFT")).toBe("CONFLICT")
})

test("every reason is a constant with a sentence of its own", () => {
  for (const reason of reasons) {
    expect(reason).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
    expect(errorReasons[reason].when).toMatch(/^[A-Z].{15,100}[^.]$/)
  }
  expect(new Set(reasons.map((reason) => errorReasons[reason].when)).size).toBe(reasons.length)
})

test("the OpenAPI document lists every reason, and explains it under its status", () => {
  const document = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"))
  const { schemas, responses } = document.components
  expect(schemas.Problem.properties.reason.anyOf[0].enum).toEqual(reasons)
  const explained = JSON.stringify(responses)
  for (const reason of reasons) {
    const { status, when } = errorReasons[reason]
    // Bugs and callers who left are part of no operation.
    if (status !== 500 && status !== 499 && status !== 405) {
      expect(explained).toContain(JSON.stringify(`\`${reason}\`: ${when}`).slice(1, -1))
    }
  }
})

function refusalsIn(path: string): Made[] {
  const text = readFileSync(join(root, path), "utf8")
  const calls = text.matchAll(new RegExp(`(?<!function )\\b(${makers.join("|")})\\(`, "g"))
  const thrown = [...calls].map(({ 0: call, 1: maker = "", index }) => {
    const isNaming = maker === "AppError" || maker === "sessionNotFound"
    return { path, maker, named: isNaming ? reasonsIn(text.slice(index + call.length)) : [] }
  })
  // Refusals as data: of inputs, and of what no refusal was thrown for.
  const data = [...text.matchAll(/\breason: "([A-Z_]+)"/g)]
  return [...thrown, ...data.map(([, name = ""]) => ({ path, maker: "data", named: [name] }))]
}

/** The reason that a list of arguments begins with, or both of a choice. */
function reasonsIn(text: string): string[] {
  const [first = ""] = /^(?:[^,()]|\([^()]*\))*/.exec(text) ?? []
  return [...first.matchAll(/"([A-Z_]+)"/g)].map(([, name = ""]) => name)
}

function sourceFiles(): string[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join("src", name))
}
