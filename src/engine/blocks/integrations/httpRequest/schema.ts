/** Stored form of the four blocks that make an HTTP request. */
import { z } from "zod"
import { idSchema, optional, variableIdSchema } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { responseMappingSchema } from "../../responseMapping.ts"

const methods = [
  "POST",
  "GET",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "CONNECT",
  "OPTIONS",
  "TRACE",
] as const

const requestSchema = z
  .object({
    id: optional.text("Id of the stored request; versions below 6"),
    url: optional.template("Address"),
    method: optional.oneOf("Method; default POST", methods),
    headers: optional.list("Headers; of equal names the last wins", keyValueSchema),
    queryParams: optional.list("Query; equal names are repeated", keyValueSchema),
    body: optional.text("Body, used when isCustomBody is true"),
  })
  .meta({ id: "HttpRequest", description: "The request to make" })

const testValueSchema = z
  .object({
    id: idSchema.optional().describe("Id of the entry"),
    variableId: variableIdSchema.optional(),
    value: optional.text("Value to try the request with"),
  })
  .meta({ id: "HttpTestValue", description: "A value for trying a request in an editor" })

const optionsSchema = z
  .object({
    webhook: requestSchema.optional(),
    variablesForTest: optional.list("For editors only", testValueSchema),
    responseVariableMapping: responseMappingSchema.optional(),
    isAdvancedConfig: optional.flag("For editors only"),
    isCustomBody: optional.flag(
      "True: send the body; default: send everything that the chat has learned",
    ),
    isExecutedOnClient: optional.flag(
      "True: the client makes the request (block type Webhook only); default false",
    ),
    timeout: optional.number("Seconds to wait, 1 to 120; default 120"),
    proxyCredentialsId: optional.text("Credential of an HTTP proxy to go through"),
  })
  .meta({ id: "HttpRequestOptions", description: "Options of an HTTP request" })

export type HttpOptions = z.infer<typeof optionsSchema>

/** All four have the same members. */
const members = {
  webhookId: optional.text("Id of a stored request; version 3"),
  options: optionsSchema.optional(),
}

export const httpRequestBlockSchema = blockSchemaOf("Webhook", "HTTP request", members).meta({
  id: "HttpRequestBlock",
  description: "Makes an HTTP request",
})

export const zapierBlockSchema = blockSchemaOf("Zapier", "Zapier", members).meta({
  id: "ZapierBlock",
  description: "Calls a hook of Zapier",
})

export const makeComBlockSchema = blockSchemaOf("Make.com", "Make.com", members).meta({
  id: "MakeComBlock",
  description: "Calls a hook of Make.com",
})

export const pabblyBlockSchema = blockSchemaOf("Pabbly", "Pabbly", members).meta({
  id: "PabblyBlock",
  description: "Calls a hook of Pabbly",
})

export type HttpRequestBlock = z.infer<typeof httpRequestBlockSchema>
export type ZapierBlock = z.infer<typeof zapierBlockSchema>
export type MakeComBlock = z.infer<typeof makeComBlockSchema>
export type PabblyBlock = z.infer<typeof pabblyBlockSchema>
