/**
 * Opens the enums that may grow: clients keep the names they know, and take others. The document and the
 * types of `@parley/client` follow this list.
 */
import { isJson, type Json, memberOf, walk } from "./openapiSchemas.ts"

/**
 * What may get new values at any time, by component or by member of one. All other enums are closed: a new
 * value would break clients.
 */
export const openEnums = [
  "CatalogueEntry.category",
  "CatalogueEntry.kind",
  "ConversationState",
  "CredentialType",
  "DeliveryState",
  "ParleyErrorCode",
  "Plan",
  "Problem.code",
  "ReplayDifferenceKind",
  "ReplayObstacle",
  "Scope",
  "ChatLine.from",
  "ChatLine.type",
  "TranscriptLine.from",
  "TranscriptLine.type",
  "UserSession.method",
  "WebhookEndpoint.disabledReason",
  "WebhookEventType",
]

/**
 * Choices of components, by the member `type`, that get new ones with each block type and each kind of event:
 * clients skip what they do not know.
 */
export const growingChoices = ["Block", "ChatInput", "ChatMessage", "ClientAction", "WebhookEvent"]

/** Max length of their values, as of all texts in requests. */
const maxLength = 100

/**
 * Writes each as `anyOf: [{enum}, {type: "string"}]`, in the place of references to it: generators make an
 * empty type of such a component. Throws for a name without an enum.
 */
export function openUpEnums(document: Json): void {
  const schemas = memberOf(document, "components", "schemas")
  for (const name of openEnums) {
    const [component = "", member] = name.split(".")
    if (schemas[component] === undefined) continue
    const schema = member ? memberOf(schemas, component, "properties", member) : schemas[component]
    if (!isJson(schema) || !Array.isArray(schema.enum)) throw new Error(`${name} is no enum`)
    const { enum: values, type, description, ...rest } = schema
    const open = {
      anyOf: [
        { type, enum: values },
        { type, maxLength },
      ],
      ...rest,
    }
    const described = { ...(description !== undefined && { description }), ...open }
    if (member) memberOf(schemas, component, "properties")[member] = described
    else inline(document, component, described)
  }
  for (const name of growingChoices) {
    const choice = schemas[name]
    if (isJson(choice)) choice.description = `${choice.description ?? name}. Others may be added`
  }
}

/** Replaces the references to a component by what it holds; descriptions beside them stay. */
function inline(document: Json, name: string, content: Json): void {
  delete memberOf(document, "components", "schemas")[name]
  walk(document, (schema) => {
    if (schema.$ref !== `#/components/schemas/${name}`) return
    const { $ref: _, ...own } = schema
    delete schema.$ref
    Object.assign(schema, structuredClone(content), own)
  })
}
