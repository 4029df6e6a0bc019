/** Stored form of the four blocks that make an HTTP request. */
import { z } from "zod"
import { idSchema, variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"
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
    id: z.string().optional().describe("Id of the stored request; versions below 6"),
    url: z.string().optional().describe("Address; may hold {{variables}}"),
    method: z.enum(methods).optional().describe("Method; default POST"),
    headers: z.array(keyValueSchema).optional().describe("Headers; of equal names the last wins"),
    queryParams: z.array(keyValueSchema).optional().describe("Query; equal names are repeated"),
    body: z.string().optional().describe("Body, used when isCustomBody is true"),
  })
  .meta({ id: "HttpRequest", description: "The request to make" })

const testValueSchema = z
  .object({
    id: idSchema.optional().describe("Id of the entry"),
    variableId: variableIdSchema.optional(),
    value: z.string().optional().describe("Value to try the request with"),
  })
  .meta({ id: "HttpTestValue", description: "A value for trying a request in an editor" })

const optionsSchema = z
  .object({
    webhook: requestSchema.optional(),
    variablesForTest: z.array(testValueSchema).optional().describe("For editors only"),
    responseVariableMapping: responseMappingSchema.optional(),
    isAdvancedConfig: z.boolean().optional().describe("For editors only"),
    isCustomBody: z
      .boolean()
      .optional()
      .describe("True: send the body; default: send everything that the chat has learned"),
    isExecutedOnClient: z
      .boolean()
      .optional()
      .describe("True: the client makes the request (block type Webhook only); default false"),
    timeout: z.number().optional().describe("Seconds to wait, 1 to 120; default 120"),
    proxyCredentialsId: z.string().optional().describe("Credential of an HTTP proxy to go through"),
  })
  .meta({ id: "HttpRequestOptions", description: "Options of an HTTP request" })

export type HttpOptions = z.infer<typeof optionsSchema>

const shape = {
  ...blockShape,
  webhookId: z.string().optional().describe("Id of a stored request; version 3"),
  options: optionsSchema.optional(),
}

export const httpRequestBlockSchema = z
  .object({ ...shape, type: z.literal("Webhook").describe("HTTP request") })
  .meta({ id: "HttpRequestBlock", description: "Makes an HTTP request" })

export type HttpRequestBlock = z.infer<typeof httpRequestBlockSchema>

export const zapierBlockSchema = z
  .object({ ...shape, type: z.literal("Zapier").describe("Zapier") })
  .meta({ id: "ZapierBlock", description: "Calls a hook of Zapier" })

export type ZapierBlock = z.infer<typeof zapierBlockSchema>

export const makeComBlockSchema = z
  .object({ ...shape, type: z.literal("Make.com").describe("Make.com") })
  .meta({ id: "MakeComBlock", description: "Calls a hook of Make.com" })

export type MakeComBlock = z.infer<typeof makeComBlockSchema>

export const pabblyBlockSchema = z
  .object({ ...shape, type: z.literal("Pabbly").describe("Pabbly") })
  .meta({ id: "PabblyBlock", description: "Calls a hook of Pabbly" })

export type PabblyBlock = z.infer<typeof pabblyBlockSchema>
