/** Lends a command a client of a running service, and says its refusals in sentences. */

import { readAddress } from "../app/addressFile.ts"
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
  url: {
    type: "string",
    description: "Address of the service (PARLEY_PUBLIC_URL, or the one that runs here)",
  },
  token: { type: "string", description: "API token (PARLEY_TOKEN)" },
} as const

/** Where the service is and who asks; absent members are read from the configuration. */
type ServiceOptions = { url?: string | undefined; token?: string | undefined }

/**
 * The address of the service: the one that is named, else the configured one, else that of the
 * service that runs on the data folder.
 */
export async function serviceUrl(
  environment: Environment,
  named: string | undefined,
): Promise<string> {
  const { publicUrl, dataFolder } = readConfig(environment)
  const isConfigured = environment.PARLEY_PUBLIC_URL || environment.PORT
  const url = named ?? ((isConfigured ? undefined : await readAddress(dataFolder)) || publicUrl)
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new Error(`"${url}" is not an address such as http://localhost:3000.`)
}

/** The address of the page on which people talk to a published bot. */
export function chatPageAddress(service: string, publicId: string): string {
  return `${service.replace(/\/+$/, "")}/chat/${encodeURIComponent(publicId)}`
}

/**
 * Calls a service, whose address and token `work` is given too. Whatever the service refuses becomes an error
 * with a sentence for every issue.
 */
export async function withService(
  environment: Environment,
  options: ServiceOptions,
  work: (client: ParleyClient, url: string, token: string) => Promise<void>,
): Promise<void> {
  const url = await serviceUrl(environment, options.url)
  const token = options.token ?? readConfig(environment).token
  if (!token)
    throw new Error(
      "An API token is needed: set PARLEY_TOKEN, or make one by `parley token create`.",
    )
  try {
    await work(createParleyClient({ url, token }), url, token)
  } catch (error) {
    throw isParleyError(error) ? new Error(sentences(error, url), { cause: error }) : error
  }
}

/** The id of a bot that was named by its id or its public id. */
export async function botIdOf(client: ParleyClient, named: string): Promise<string> {
  const { workspaces } = await client.workspace.list.query()
  for (const { id: workspaceId } of workspaces) {
    const { bots } = await client.bot.list.query({ workspaceId })
    const found = bots.find(({ id, publicId }) => id === named || publicId === named)
    if (found) return found.id
  }
  // A bot that is only shared is in no list.
  return named
}

/** The id of a workspace that was named by its id or name, or of the only one there is. */
export async function workspaceIdOf(
  client: ParleyClient,
  named: string | undefined,
): Promise<string> {
  const { workspaces } = await client.workspace.list.query()
  const fitting = workspaces.filter(
    ({ id, name }) => named === undefined || id === named || name === named,
  )
  const [only, ...others] = fitting
  if (only && others.length === 0) return only.id
  const names = workspaces.map(({ id, name }) => `\n- ${id} ${name}`).join("")
  throw new Error(`Name one of these workspaces by --workspace:${names}`)
}

function sentences({ message, data }: ParleyError, url: string): string {
  if (!data) return `The service at ${url} does not answer: start it, or name another by --url.`
  const issues = (data.issues ?? []).map((issue) => {
    const where = [issue.place, issue.pointer && `(${issue.pointer})`].filter(Boolean).join(" ")
    return `\n- ${where}${where && ": "}${issue.message}`
  })
  return `${message}.${issues.join("")}`.replace("..", ".")
}
