/** Guarantees for editors in every entry of the catalogue. */
import { describe, expect, it, test } from "vitest"
import { judgeOf } from "../../../test/support/jsonSchema.ts"
import { blockTypes } from "../../engine/blocks/registry.ts"
import { categories } from "../../engine/schema/catalogueTraits.ts"
import { eventSchema } from "../../engine/schema/event.ts"
import type { EditorHints } from "../../engine/schema/sharedMembers.ts"
import { catalogueEntries } from "./catalogue.ts"
import { type JsonSchema, visitMembers } from "./editorSchema.ts"

const entries = [...catalogueEntries()]
const named = entries.map((entry) => [`${entry.kind} ${entry.type}`, entry] as const)
const entryOf = (type: string) => entries.find((entry) => entry.type === type)

/** Every member of a schema, by the names that lead to it. */
function membersOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  // Of members with one name, the outer.
  if (schema) visitMembers(schema, (member, name) => (found[name] ??= member))
  return found
}

test("the catalogue has every type of block and event, each once", () => {
  const blocks = entries.filter(({ kind }) => kind !== "event").map(({ type }) => type)
  const events = entries.filter(({ kind }) => kind === "event").map(({ type }) => type)
  expect(blocks).toEqual(Object.keys(blockTypes))
  expect(events).toEqual(eventSchema.options.map(({ shape }) => shape.type.value))
})

test("no two types have the same label", () => {
  const labels = entries.map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})

describe.each(named)("%s", (_, entry) => {
  it("has a label, a description, a category and an icon", () => {
    expect(entry.label).toMatch(/^[A-Z]\S*(?: \S+){0,2}$/)
    expect(entry.description).toMatch(/^[A-Z].{8,98}[^.]$/)
    expect(categories).toContain(entry.category)
    expect(entry.icon).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(Object.keys(entry.channels)).toEqual(["web", "whatsapp", "telegram"])
  })

  it("has a valid schema that takes a new one", () => {
    expect(judgeOf(entry.schema)({ id: "new", ...entry.defaults })).toEqual([])
    expect(entry.schema).toMatchObject({ title: entry.label, description: entry.description })
    expect(JSON.stringify(entry.schema)).not.toContain("$ref")
  })

  it("has a title and a description for every member", () => {
    visitMembers(entry.schema, ({ title, description }, name) => {
      expect({ name, title }).toEqual({ name, title: expect.stringMatching(/^[A-Z][^A-Z_$]?/) })
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\S/) })
    })
  })
})

test("titles come from the names of members, unless these have their own", () => {
  const titles = Object.entries(membersOf(entryOf("choice input")?.schema))
  expect(Object.fromEntries(titles.map(([name, { title }]) => [name, title]))).toMatchObject({
    id: "ID",
    isMultipleChoice: "Multiple choice",
    dynamicVariableId: "Dynamic variable",
  })
  expect(membersOf(entryOf("AB test")?.schema).aPercent?.title).toBe("Share of way A")
})

test("members with a meaning when absent have a default", () => {
  expect(membersOf(entryOf("rating input")?.schema)).toMatchObject({
    length: { default: 10, description: "Highest rating; default 10" },
    buttonType: { default: "Numbers" },
    isOneClickSubmitEnabled: { default: false },
  })
})

test("hints describe the controls of editors", () => {
  const hints = (type: string, name: string) => membersOf(entryOf(type)?.schema)[name]?.["x-parley"]
  expect(hints("text input", "variableId")).toEqual({ variable: true })
  expect(hints("text input", "outgoingEdgeId")).toEqual({ edge: true })
  expect(hints("text", "richText")).toEqual({ richText: true })
  expect(hints("Code", "content")).toEqual({ code: "javascript", template: true })
  expect(hints("Jump", "blockId")).toEqual({ refersTo: "block" })
  expect(hints("Email", "credentialsId")).toEqual({ credentials: "smtp" })
  expect(hints("Email", "subject")).toEqual({ template: true, sendsSecrets: true })
  expect(hints("Email", "replyTo")).toEqual({ template: true })
  // Services share the member; each names its own type.
  expect(hints("groq", "credentialsId")).toEqual({ credentials: "groq" })
  expect(hints("perplexity", "credentialsId")).toEqual({ credentials: "perplexity" })
  expect(hints("mcp", "tool")).toEqual({ tool: true })
  expect(hints("mcp", "name")).toEqual({ argument: true })
})

test("hints name every type and member from which secrets of the workspace leave", () => {
  const places = entries.flatMap(({ type, schema }) => {
    const found: string[] = []
    visitMembers(schema, (member, name) => {
      const hints = member["x-parley"] as EditorHints | undefined
      if (hints?.sendsSecrets) found.push(`${type}: ${name}`)
    })
    return found
  })
  const ofRequests = ["url", "body", "key", "value", "key", "value"]
  const requests = ["Webhook", "Zapier", "Make.com", "Pabbly"]
  expect(places.toSorted()).toEqual(
    [
      ...["subject", "body"].map((name) => `Email: ${name}`),
      ...requests.flatMap((type) => ofRequests.map((name) => `${type}: ${name}`)),
    ].toSorted(),
  )
})

test("a type declares the credential it needs", () => {
  const needed = (type: string) => entryOf(type)?.credentials
  expect(needed("payment input")).toBe("stripe")
  expect(needed("deepseek")).toBe("deepseek")
  expect([needed("Webhook"), needed("cal-com"), needed("text")]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test("a type declares where edges leave it", () => {
  const leaving = (way: string) =>
    entries.filter(({ exits }) => exits === way).map(({ type }) => type)
  expect(leaving("items")).toEqual(["choice input", "picture choice input", "Condition", "AB test"])
  expect(leaving("paths")).toEqual(["cards"])
  expect(leaving("none")).toEqual(["Jump", "Return"])
})

test("a type declares whether it is paid or legacy", () => {
  const types = (has: "isPaid" | "isLegacy") =>
    entries.filter((entry) => entry[has]).map(({ kind, type }) => `${kind} ${type}`)
  expect(types("isPaid")).toEqual(["input file input"])
  expect(types("isLegacy")).toEqual(["logic start", "logic Typebot link", "integration OpenAI"])
  expect(membersOf(entryOf("text")?.schema).html?.deprecated).toBe(true)
})

test("support may differ between messengers", () => {
  const { channels } = entryOf("choice input") ?? {}
  expect(channels).toEqual({ web: "full", whatsapp: "reduced", telegram: "full" })
})
