/** Describes the events that webhook endpoints receive, as the `webhooks` of OpenAPI 3.1. */
import { webhookEventSchema } from "../../chat/events/eventSchemas.ts"
import { eventExamples } from "../../routers/webhookEndpoint/eventExamples.ts"
import { componentRef, type Json } from "./openapiSchemas.ts"

/** The headers of Standard Webhooks, by the names of their components. */
export const webhookParameters: Json = {
  WebhookId: headerOf(
    "webhook-id",
    "Id of the event, the same in every attempt: receivers detect repetitions by it",
    "019e4ec0-f94b-7b11-8b22-3c33d44e55f6",
  ),
  WebhookTimestamp: headerOf(
    "webhook-timestamp",
    "When this attempt was signed, in seconds since 1970",
    "1779437730",
  ),
  WebhookSignature: headerOf(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256, in base64, of `{webhook-id}.{webhook-timestamp}.{body}` under the secret " +
      "of the endpoint; two of them, with a space between, for a day after the secret was rotated",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
}

function headerOf(name: string, description: string, example: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example }
}

const responses: Json = {
  "2XX": { description: "The event is delivered" },
  "410": { description: "The endpoint is disabled, and gets no more events" },
  default: { description: "Retried up to nine times over three days" },
}

/** By type of event. */
export const eventWebhooks: Json = Object.fromEntries(
  webhookEventSchema.options.map((schema) => {
    const { id = "", description } = schema.meta() ?? {}
    const type = schema.shape.type.value
    const media = { schema: componentRef("schemas", id), example: eventExamples[type] }
    const post = {
      operationId: `on${id.replace(/Event$/, "")}`,
      summary: description,
      tags: ["Webhooks"],
      security: [],
      parameters: Object.keys(webhookParameters).map((name) => componentRef("parameters", name)),
      requestBody: { required: true, content: { "application/json": media } },
      responses,
    }
    return [type, { post }]
  }),
)
