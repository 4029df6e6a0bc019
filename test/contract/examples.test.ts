/** The document shows by example what the ten endpoints take and answer. */
import { readFile } from "node:fs/promises"
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, it } from "vitest"
import { escaped } from "../../scripts/drills/judge.ts"

type Body = { content?: Record<string, { example?: unknown }> }
type Operation = { operationId: string; requestBody?: Body; responses: Record<string, Body> }

const document: { components: object; paths: Record<string, Record<string, Operation>> } =
  JSON.parse(await readFile(new URL("../../openapi.json", import.meta.url), "utf8"))
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
const operation = (id: string) => operations.find((each) => each.operationId === id)
const exampleOf = (body: Body | undefined) => body?.content?.["application/json"]?.example

it.each([
  "createWorkspace",
  "importBot",
  "updateBot",
  "startChat",
  "continueChat",
  "startPreviewChat",
])("%s shows a request", (id) => {
  expect(exampleOf(operation(id)?.requestBody)).toBeTypeOf("object")
})

it.each([
  "importBot",
  "getBot",
  "updateBot",
  "getResult",
  "startChat",
  "continueChat",
  "startPreviewChat",
])("%s shows an answer", (id) => {
  expect(exampleOf(operation(id)?.responses["200"])).toBeTypeOf("object")
})

it("every example is valid", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  ajv.addSchema(document, "openapi")
  let count = 0
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      const place = ["paths", path, method]
      const bodies: [string[], Body | undefined][] = [
        [[...place, "requestBody"], requestBody],
        [[...place, "responses", "200"], responses["200"]],
      ]
      for (const [keys, body] of bodies) {
        const { example } = body?.content?.["application/json"] ?? {}
        if (example === undefined) continue
        count += 1
        const pointer = [...keys, "content", "application/json", "schema"].map(escaped).join("/")
        const validate = ajv.compile({ $ref: `openapi#/${pointer}` })
        expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
      }
    }
  }
  expect(count).toBeGreaterThan(20)
})
