/** Lends a command a client of a running service, and says its refusals in sentences. */

import { readConfig } from "../app/config.ts"
import {
  createParleyClient,
  isParleyError,
  type ParleyClient,
  type ParleyError,
} from "../client.ts"
import type { Environment } from "./command.ts"

/** Options of every command that calls a service. */
export const serviceArgs = {
  url: { type: "string", description: "Address of the service (PARLEY_PUBLIC_URL)" },
  token: { type: "string", description: "API token (PARLEY_TOKEN)" },
} as const

/** Where the service is and who asks; absent members are read from the configuration. */
export type ServiceOptions = { url?: string | undefined; token?: string | undefined }

/** Calls a service. Whatever it refuses becomes an error with a sentence for every issue. */
export async function withService(
  environment: Environment,
  options: ServiceOptions,
  work: (client: ParleyClient) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment)
  const url = options.url ?? config.publicUrl
  const token = options.token ?? config.token
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(`"${url}" is not an address such as http://localhost:3000.`)
  }
  if (!token)
    throw new Error(
      "An API token is needed: set PARLEY_TOKEN, or make one by `parley token create`.",
    )
  try {
    await work(createParleyClient({ url, token }))
  } catch (error) {
    throw isParleyError(error) ? new Error(sentences(error, url), { cause: error }) : error
  }
}

function sentences({ message, data }: ParleyError, url: string): string {
  if (!data) return `The service at ${url} does not answer: start it, or name another by --url.`
  const issues = (data.issues ?? []).map((issue) => {
    const where = [issue.place, issue.pointer && `(${issue.pointer})`].filter(Boolean).join(" ")
    return `\n- ${where}${where && ": "}${issue.message}`
  })
  return `${message}.${issues.join("")}`.replace("..", ".")
}
