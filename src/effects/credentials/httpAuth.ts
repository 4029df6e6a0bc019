/** How credentials of the type `http` sign requests. */
import { z } from "zod"
import { connectionHeaders, metadataHeaders } from "../network/refusedHeaders.ts"
import type { RequestSecret } from "../network/requestSecret.ts"
import { createRedaction } from "./createRedaction.ts"

export const headerValue = (description: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(8192)
    .regex(/^[\x20-\x7e]+$/, "must be letters, digits, signs and spaces")
    .describe(description)

const open = (description: string) => z.string().trim().min(1).max(2048).describe(description)

export const headerName = open("Name of the header")
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "must be the name of a header")
  .refine((name) => ![...metadataHeaders, ...connectionHeaders].includes(name.toLowerCase()), {
    message: "must not be a header of the connection or of a cloud",
  })

const clientCredentials = z
  .object({
    type: z.literal("oauth2ClientCredentials"),
    tokenUrl: z
      .url({ protocol: /^https?$/, error: "must be an address with http:// or https://" })
      .max(2048)
      .describe("Where tokens are fetched; the client's secret is sent there and nowhere else"),
    clientId: open("Client id"),
    clientSecret: headerValue("Client secret"),
    scope: open("Scope to ask for").optional(),
  })
  .meta({ title: "OAuth 2.0 client credentials" })

export const httpAuthSchema = z.discriminatedUnion("type", [
  z
    .object({
      type: z.literal("bearer"),
      token: headerValue("Token of the header `Authorization`"),
    })
    .meta({ title: "Bearer token" }),
  z
    .object({
      type: z.literal("basic"),
      username: open("User name").regex(/^[^:]+$/, "must not contain a colon"),
      password: z.string().max(8192).describe("Password"),
    })
    .meta({ title: "User name and password" }),
  z
    .object({
      type: z.literal("header"),
      name: headerName,
      value: headerValue("Value of the header"),
    })
    .meta({ title: "Header" }),
  z
    .object({
      type: z.literal("query"),
      name: open("Name of the parameter"),
      value: z.string().min(1).max(8192).describe("Value of the parameter"),
    })
    .meta({ title: "Query parameter" }),
  clientCredentials,
])

export type HttpAuth = z.infer<typeof httpAuthSchema>
export type ClientCredentials = z.infer<typeof clientCredentials>

/** What a request carries; `token`: that of the client. */
export function requestSecretOf(auth: HttpAuth, token: string): RequestSecret {
  const authorization = (value: string): RequestSecret => {
    return { in: "header", name: "authorization", value }
  }
  switch (auth.type) {
    case "bearer":
      return authorization(`Bearer ${auth.token}`)
    case "basic":
      return authorization(`Basic ${loginOf(auth.username, auth.password)}`)
    case "oauth2ClientCredentials":
      return authorization(`Bearer ${token}`)
    default:
      return { in: auth.type, name: auth.name, value: auth.value }
  }
}

export function loginOf(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString("base64")
}

/** Redacts what a request carried from its answer, in which the server may repeat it. */
export function redactSecret(text: string, auth: HttpAuth, token: string): string {
  return createRedaction([...wordsOf(auth), token], "***")(text)
}

function wordsOf(auth: HttpAuth): string[] {
  switch (auth.type) {
    case "bearer":
      return [auth.token]
    case "basic":
      return [auth.password, loginOf(auth.username, auth.password)]
    case "oauth2ClientCredentials":
      return [
        auth.clientSecret,
        loginOf(encodeURIComponent(auth.clientId), encodeURIComponent(auth.clientSecret)),
      ]
    default:
      return [auth.value]
  }
}
