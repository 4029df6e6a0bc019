/** Types the parts of streams, one by one: OpenAPI 3.2 has `itemSchema` for that, 3.1 only refers to it. */
import { z } from "zod"
import { chatNewsSchema } from "../../routers/conversation/hearMessages.ts"
import { botChangeSchema } from "../../routers/edit/hearBot.ts"
import { componentRef, type Json, memberOf, operationsOf } from "./openapiSchemas.ts"

/** Where the document in OpenAPI 3.2 is served. */
export const openApi32Path = "/openapi-3.2.json"

const id = { type: "string", description: "Sent back as `Last-Event-ID`, it leaves no gap" }

/** A server-sent event whose data is JSON. */
function eventOf(name: string, data: Json): Json {
  const content = { type: "string", contentMediaType: "application/json", contentSchema: data }
  const properties = {
    event: { type: "string", const: name },
    id,
    data: content,
  }
  return { type: "object", required: ["event", "id", "data"], properties }
}

const step = componentRef("schemas", "ChatStep")
const nothing = { type: "object" }
const afterSeconds = { type: "number", description: "How long the chat has been silent" }
const silence = { type: "object", required: ["afterSeconds"], properties: { afterSeconds } }

/** The events of a chat; one without a name holds the text to continue it with. */
const ofChat: Json = {
  oneOf: [
    {
      type: "object",
      required: ["id", "data"],
      properties: {
        event: { type: "string", const: "message", description: "Readers of events name it so" },
        id,
        data: {
          type: "string",
          description: "What another system says: continue the chat with it",
        },
      },
    },
    eventOf("conversation.continued", step),
    eventOf("conversation.idle", { allOf: [step, silence] }),
    eventOf("conversation.reply", componentRef("schemas", "TeamReply")),
    {
      type: "object",
      required: ["event", "data"],
      properties: { event: { type: "string", const: "conversation.typing" }, data: nothing },
    },
    ...["paused", "resumed", "ended", "expired"].map((name) =>
      eventOf(`conversation.${name}`, nothing),
    ),
  ],
}

/** Events of several types: their type is the name of the event, their other members are its data. */
const itemOf = (options: readonly z.ZodObject<{ type: z.ZodLiteral<string> }>[]): Json => ({
  oneOf: options.map(({ shape: { type, ...members } }) =>
    eventOf(type.value, schemaOf(z.object(members))),
  ),
})

/** A schema with references to the components of the document; no operation has `Present`. */
function schemaOf(members: z.ZodObject): Json {
  const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(members, { io: "output" })
  const text = JSON.stringify(schema)
    .replaceAll('{"$ref":"#/$defs/Present"}', JSON.stringify($defs.Present))
    .replaceAll("#/$defs/", "#/components/schemas/")
  return JSON.parse(text)
}

/** By operation id and media type. */
const streamItems: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  streamMessage: { "text/plain": { type: "string", pattern: "^[f03ed]:" } },
  listenForEvents: { "text/event-stream": ofChat },
  listenForChanges: { "text/event-stream": itemOf(botChangeSchema.options) },
  listenForMessages: { "text/event-stream": itemOf(chatNewsSchema.options) },
  listenForSessionMessages: { "text/event-stream": itemOf(chatNewsSchema.options) },
  exportResults: { "application/x-ndjson": componentRef("schemas", "Result") },
}

/** The same document in OpenAPI 3.2. */
export function inOpenApi32(document: Json): Json {
  const next = { ...structuredClone(document), openapi: "3.2.0" }
  for (const operation of operationsOf(next)) {
    const items = streamItems[String(operation.operationId)] ?? {}
    for (const [type, itemSchema] of Object.entries(items)) {
      const content = memberOf(operation, "responses", "200", "content")
      const { schema: _, "x-item-schema": __, ...media } = memberOf(content, type)
      content[type] = { ...media, itemSchema }
    }
  }
  return next
}
