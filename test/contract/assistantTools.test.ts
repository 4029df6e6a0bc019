/** What assistants are told of each tool is what its procedure takes, and is no longer than it must be. */
import { readFileSync } from "node:fs"
import type { AnyTRPCProcedure } from "@trpc/server"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { describeTool } from "../../src/mcp/describeTool.ts"
import { toolNamed, tools } from "../../src/mcp/tools.ts"
import { appRouter } from "../../src/routers/app.ts"
import { metaOf } from "../../src/routers/trpc.ts"
import { judgeOf } from "../support/jsonSchema.ts"

type Schema = {
  properties?: Record<string, Schema>
  required?: string[]
  $ref?: string
  $defs?: Record<string, Schema>
}

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>

/** Most characters that a model has to read of one tool, and of all of them. */
const [maxPerTool, maxOfAll] = [33_500, 75_000]

const all = tools.map((tool) => {
  const procedure = procedures[tool.path]
  if (procedure === undefined)
    throw new Error(`${tool.name} calls ${tool.path}, which there is not`)
  const [input = z.object({})] = (procedure._def as unknown as { inputs: z.ZodType[] }).inputs
  const taken = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema
  const described = describeTool(tool, procedure)
  return { tool, procedure, taken, described, told: described.inputSchema as Schema }
})

const own = ["confirm", "part"]

describe.each(all.map((each) => [each.tool.name, each] as const))("%s", (_, each) => {
  const { tool, procedure, taken, told, described } = each

  test("takes the members that its procedure takes, but for those that it sets or omits", () => {
    const hidden = [...Object.keys(tool.sets ?? {}), ...(tool.omits ?? [])]
    const names = Object.keys(taken.properties ?? {})
    expect(names.filter((name) => own.includes(name))).toEqual([])
    const shown = Object.keys(told.properties ?? {}).filter((name) => !own.includes(name))
    expect(shown.sort()).toEqual(names.filter((name) => !hidden.includes(name)).sort())
    expect(told.required ?? []).toEqual(
      (taken.required ?? []).filter((name) => shown.includes(name)),
    )
    for (const way of hidden) expect(memberAt(taken, way), way).toBeDefined()
    for (const way of hidden) expect(memberAt(told, way), way).toBeUndefined()
  })

  test("has a valid schema, by which the example of its procedure is valid", () => {
    const judge = judgeOf(told)
    const { example, openapi } = procedure._def.meta as unknown as {
      example?: { request?: object; query?: object }
      openapi: { path: string }
    }
    const inPath = [...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
      return [name, name === "number" ? 1 : "abc"]
    })
    const { bot: _, ...sent } = {
      ...Object.fromEntries(inPath),
      ...example?.query,
      ...example?.request,
    }
    expect(judge(tool.name === "create_bot" ? { ...sent, bot: {} } : sent)).toEqual([])
    expect(judge(5)).not.toEqual([])
  })

  test("says what it is in few words", () => {
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(described.description?.length).toBeGreaterThan(30)
    expect(JSON.stringify(described).length).toBeLessThan(maxPerTool)
    expect(JSON.stringify(described)).not.toContain("x-parley")
  })

  test("says what it does, and asks a person before visitors notice anything", () => {
    const { type } = procedure._def
    const { readOnlyHint, destructiveHint } = described.annotations ?? {}
    if (type === "query") expect(readOnlyHint).toBe(true)
    expect(readOnlyHint).toBe(tool.effect === "reads")
    expect(destructiveHint ?? false).toBe(!["reads", "adds"].includes(tool.effect))
    if (tool.effect === "publishes") expect(tool.asks).toBeDefined()
    expect(Object.keys(told.properties ?? {}).includes("confirm")).toBe(tool.asks !== undefined)
    expect(["bots:read", "bots:write", "results:read", undefined]).toContain(
      metaOf(procedure).scope,
    )
  })
})

test("all of them together leave a model room to think, and have names of their own", () => {
  const length = JSON.stringify(all.map(({ described }) => described)).length
  expect(length).toBeLessThan(maxOfAll)
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
})

test("the page for people lists each tool under its scope", () => {
  const page = readFileSync(new URL("../../src/mcp/README.md", import.meta.url), "utf8")
  const rows = [...page.matchAll(/^\| (?:`([\w:]+)`|any) \| (.+) \|$/gm)]
  const listed = rows.flatMap(([, scope, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, scope]),
  )
  const wanted = all.map(({ tool, procedure }) => [tool.name, metaOf(procedure).scope])
  expect(listed.sort()).toEqual(wanted.sort())
})

test("tools with words of visitors mark them", () => {
  const silent = tools.filter(
    ({ path, words }) => path.startsWith("result.") && !words?.includes("visitors"),
  )
  expect(silent).toEqual([])
})

test.each([
  [{ type: "variable.put", variable: { id: "v", name: "N" } }, undefined],
  [{ type: "bot.set", name: "New" }, undefined],
  [{ type: "settings.merge", settings: { general: { isBrandingEnabled: false } } }, undefined],
  [{ type: "bot.set", isClosed: true }, '[{"isClosed":true}]'],
  [{ type: "bot.set", publicId: null }, '[{"publicId":null}]'],
  [{ type: "bot.set", customDomain: "a.example" }, '[{"customDomain":"a.example"}]'],
  [{ type: "bot.set", whatsAppCredentialsId: "c" }, '[{"whatsAppCredentialsId":"c"}]'],
  [
    { type: "settings.merge", settings: { publicShare: { isEnabled: true } } },
    '[{"publicShare":{"isEnabled":true}}]',
  ],
])("of edits, those that visitors notice at once are asked for: %j", (edit, changes) => {
  const question = toolNamed("edit_bot")?.asks?.({ edits: [edit] })
  expect(question).toEqual(changes === undefined ? undefined : { changes })
})

function memberAt(root: Schema, way: string): Schema | undefined {
  let schema: Schema | undefined = root
  for (const name of way.split(".")) {
    const reference: string | undefined = schema?.$ref?.replace("#/$defs/", "")
    const holder: Schema | undefined = reference === undefined ? schema : root.$defs?.[reference]
    schema = holder?.properties?.[name]
  }
  return schema
}
