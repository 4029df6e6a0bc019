/** The document shows by example what the ten endpoints take and answer. */
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"

type Body = { content?: Record<string, { example?: unknown }> }
type Operation = { operationId: string; requestBody?: Body; responses: Record<string, Body> }

const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  await readFile(new URL("../../openapi.json", import.meta.url), "utf8"),
)
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
