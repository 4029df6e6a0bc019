/** The schemas of credentials for editors, with marks of secret members. */
import { editorSchemaOf, type JsonSchema } from "../../authoring/catalogue/editorSchema.ts"
import type { EditorHints } from "../../engine/schema/sharedMembers.ts"
import { credentialSchemas, type MemberNames } from "./credentialTypes.ts"

export type CredentialForm = { type: string; schema: JsonSchema }

/** All types, one after the other: making one takes a millisecond. */
export function* credentialForms(): Generator<CredentialForm> {
  for (const [type, { schema, open }] of credentialSchemas) {
    const form = editorSchemaOf(schema)
    markSecrets(form, open)
    yield { type, schema: form }
  }
}

/** Members that are not open are secret. */
function markSecrets(schema: JsonSchema, open: MemberNames): void {
  const { properties = {} } = schema as { properties?: Record<string, JsonSchema> }
  for (const choice of choicesOf(schema)) markSecrets(choice, open)
  for (const [name, member] of Object.entries(properties)) {
    if (open.includes(name)) continue
    const group = open.find((each) => each[0] === name)
    if (member.properties || choicesOf(member).length > 0)
      markSecrets(member, Array.isArray(group) ? group[1] : [])
    else member["x-parley"] = { secret: true } satisfies EditorHints
  }
}

function choicesOf({ anyOf = [], oneOf = [] }: JsonSchema): JsonSchema[] {
  return [...(anyOf as JsonSchema[]), ...(oneOf as JsonSchema[])]
}
