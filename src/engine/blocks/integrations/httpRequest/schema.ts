/** Stored form of the four blocks that make an HTTP request. */
import type { z } from "zod"
import { idSchema, namedObject, optional, variableIdSchema } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { responseMappingSchema } from "../../responseMapping.ts"

const methods = "POST GET PUT DELETE PATCH HEAD CONNECT OPTIONS TRACE".split(" ")

const testValueSchema = namedObject("HttpTestValue", "A value for trying a request in an editor", {
  id: idSchema.optional().describe("Id of the entry"),
  variableId: variableIdSchema.optional(),
  value: optional.text("Value to try the request with"),
})

/** All four have the same members. */
const members = {
  webhookId: optional.former("Id of a stored request; version 3"),
  options: optional.named("HttpRequestOptions", "Options of an HTTP request", {
    webhook: optional.named("HttpRequest", "The request to make", {
      id: optional.former("Id of the stored request; versions below 6"),
      url: optional.template("Address"),
      method: optional.oneOf("Method", methods, "POST"),
      headers: optional.list("Headers; of equal names the last wins", keyValueSchema),
      queryParams: optional.list("Query; equal names are repeated", keyValueSchema),
      body: optional.hinted("Body, used when isCustomBody is true; may hold {{variables}}", {
        code: "json",
        template: true,
      }),
    }),
    variablesForTest: optional.list("For editors only", testValueSchema),
    responseVariableMapping: responseMappingSchema.optional(),
    isAdvancedConfig: optional.flag("For editors only"),
    isCustomBody: optional.flag("Whether to send the body instead of all values of the chat"),
    isExecutedOnClient: optional.flag(
      "Whether the client makes the request (block type Webhook only)",
      false,
    ),
    timeout: optional.number("Seconds to wait, 1 to 120", 120),
    credentialsId: optional.hinted(
      "Credential that signs the request, sent only to its allowed hosts; wins over a header or parameter of its name",
      { credentials: "http" },
    ),
    proxyCredentialsId: optional.hinted("Credential of an HTTP proxy to go through", {
      credentials: "http proxy",
    }),
  }),
}

export const httpRequestBlockSchema = blockSchemaOf("Webhook", members).meta({
  id: "HttpRequestBlock",
})

const hookSchemaOf = <const Name extends string>(name: Name, id: string) =>
  blockSchemaOf(name, members).meta({ id })

export const zapierBlockSchema = hookSchemaOf("Zapier", "ZapierBlock")
export const makeComBlockSchema = hookSchemaOf("Make.com", "MakeComBlock")
export const pabblyBlockSchema = hookSchemaOf("Pabbly", "PabblyBlock")

export type HttpRequestBlock = z.infer<typeof httpRequestBlockSchema>
export type HttpOptions = NonNullable<HttpRequestBlock["options"]>
