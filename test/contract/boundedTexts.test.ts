/** Whatever a request may hold is bounded by more than its body: every text of every operation. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

type Schema = {
  $ref?: string
  type?: string | string[]
  maxLength?: number
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  [other: string]: unknown
}
type Operation = {
  operationId: string
  parameters?: { name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const document = JSON.parse(
  readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Texts of bots, and of edits of them, have bounds of their own: `src/engine/schema/bounds.ts`. */
const bots = new Set(["ImportedBot", "BotToCreate", "BotChanges", "Theme", "Edit"])

/** What is never stored as it comes, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "ClientLog.status": "cut when it is stored",
  "ClientLog.description": "cut when it is stored",
  "ClientLog.context": "cut when it is stored",
  "importBot.bot": "a member of the bot under the name of other clients",
}

function unboundedTexts(): string[] {
  const found = new Set<string>()
  const seen = new Set<string>(bots)
  const visit = (schema: Schema, at: string): void => {
    const name = schema.$ref?.split("/").at(-1)
    if (name !== undefined) {
      if (seen.has(name)) return
      seen.add(name)
      visit(document.components.schemas[name] ?? {}, name)
      return
    }
    for (const word of ["anyOf", "oneOf", "allOf"]) {
      for (const option of (schema[word] ?? []) as Schema[]) visit(option, at)
    }
    const isText = [schema.type].flat().includes("string")
    const isBounded = ["maxLength", "enum", "const", "pattern", "format"].some(
      (key) => key in schema,
    )
    if (isText && !isBounded) found.add(at)
    for (const [member, inner] of Object.entries(schema.properties ?? {})) {
      visit(inner, `${at}.${member}`)
    }
    if (schema.items) visit(schema.items, `${at}[]`)
    if (typeof schema.additionalProperties === "object")
      visit(schema.additionalProperties, `${at}{}`)
  }
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { operationId, parameters = [], requestBody } = operation
    for (const { name, schema } of parameters) visit(schema ?? {}, `${operationId}.${name}`)
    for (const { schema } of Object.values(requestBody?.content ?? {})) visit(schema, operationId)
  }
  return [...found].filter((at) => !(at in exceptions)).toSorted()
}

test("every text in a request has a longest length", () => {
  expect(unboundedTexts()).toEqual([])
})
