/** The JSON Schema of test files, for text editors that check and complete them. */
import { editorSchemaOf, type JsonSchema } from "../../authoring/catalogue/editorSchema.ts"
import { testFileSchema } from "./testFileSchema.ts"

/** JSON Schema 2020-12. */
export function testFileJsonSchema(): JsonSchema {
  return { ...editorSchemaOf(testFileSchema), title: "Tests of a bot" }
}
