/** Gives a command a client of a running service, and turns refusals into sentences. */
import type { ArgsDef, CommandDef, ParsedArgs } from "citty"
import { readAddress } from "../app/addressFile.ts"
import { readConfig } from "../app/config.ts"
import {
  createParleyClient,
  isParleyError,
  type ParleyClient,
  type ParleyError,
} from "../client.ts"
import { type CommandParts, command, type Environment, option } from "./command.ts"
import { positionIn } from "./position.ts"

/** Options of every command that calls a service. */
export const serviceArgs = {
  url: option("Address of the service (PARLEY_PUBLIC_URL, or the one that runs here)"),
  token: option("API token (PARLEY_TOKEN)"),
} as const

/** A service that a command can call. */
export type Service = {
  client: ParleyClient
  url: string
  token: string
  environment: Environment
}

/** Makes a command that calls a service: it takes `--url` and `--token` as well. */
export function serviceCommand<const Args extends ArgsDef>(
  parts: CommandParts<Args, Service>,
): CommandDef<Args & typeof serviceArgs> {
  return command<Args & typeof serviceArgs>({
    ...parts,
    args: { ...parts.args, ...serviceArgs },
    run: (args, environment) =>
      withService(environment, args, (service) => parts.run(args as ParsedArgs<Args>, service)),
  })
}

/**
 * The address of the service: the one that was given, else the configured one, else that of the
 * service that runs on the data folder.
 */
export async function serviceUrl(
  environment: Environment,
  given: string | undefined,
): Promise<string> {
  const { publicUrl, dataFolder } = readConfig(environment)
  const isConfigured = environment.PARLEY_PUBLIC_URL || environment.PORT
  const url = given ?? ((isConfigured ? undefined : await readAddress(dataFolder)) || publicUrl)
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new Error(`"${url}" is not an address such as http://localhost:3000.`)
}

/**
 * The address of the page on which people talk to a published bot. Where this command does not know the
 * origin of chats, that of the service leads there.
 */
export function chatPageAddress(
  { url, environment }: Pick<Service, "url" | "environment">,
  publicId: string,
): string {
  const { chatUrl, publicUrl } = readConfig(environment)
  const isOwn = url.replace(/\/+$/, "") === publicUrl
  const root = (isOwn && chatUrl) || url.replace(/\/+$/, "")
  return `${root}/chat/${encodeURIComponent(publicId)}`
}

/**
 * Runs `work` with a service; address and token that are absent are read from the configuration. A refusal
 * becomes an error with a sentence for every issue.
 */
export async function withService<Result>(
  environment: Environment,
  options: { url?: string | undefined; token?: string | undefined },
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const url = await serviceUrl(environment, options.url)
  const token = options.token ?? readConfig(environment).token
  if (!token) {
    throw new Error(
      "An API token is needed: set PARLEY_TOKEN, or make one with `parley token create`.",
    )
  }
  try {
    return await work({ client: createParleyClient({ url, token }), url, token, environment })
  } catch (error) {
    throw isParleyError(error) ? new Error(sentences(error, url), { cause: error }) : error
  }
}

/** The id of a bot, given its id or its public id. */
export async function botIdOf(client: ParleyClient, named: string): Promise<string> {
  const bots = await unlessTooNarrow(() => listBots(client))
  return bots.find(({ id, publicId }) => id === named || publicId === named)?.id ?? named
}

/** The bots of the caller's workspaces, and then those that are shared with the caller, which have none. */
export async function listBots(client: ParleyClient) {
  const { workspaces } = await client.workspace.list.query()
  const own = await Promise.all(
    workspaces.map(async ({ id: workspaceId, name: workspace }) => {
      const { bots } = await client.bot.list.query({ workspaceId })
      return bots.map((bot) => ({ ...bot, workspace }))
    }),
  )
  const shared = await unlessTooNarrow(async () => {
    const { items } = await readList(Infinity, async (limit, cursor) => {
      const { bots, ...page } = await client.user.listSharedBots.query({ limit, cursor })
      return { items: bots, ...page }
    })
    return items.map((bot) => ({ ...bot, workspace: undefined }))
  })
  return [...own.flat(), ...shared]
}

/** What a token is for it reaches by ids, even where the lists take one that is for more. */
async function unlessTooNarrow<Item>(list: () => Promise<Item[]>): Promise<Item[]> {
  try {
    return await list()
  } catch (error) {
    if (isParleyError(error) && error.data?.httpStatus === 403) return []
    throw error
  }
}

/** The id of a workspace, given its id or name; without either, of the only one there is. */
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
  throw new Error(`Choose one of these workspaces with --workspace:${names}`)
}

/** Reads a list page by page until it ends or has `most` items. */
export async function readList<Item>(
  most: number,
  readPage: (limit: number, cursor?: string) => Promise<{ items: Item[]; nextCursor?: string }>,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const all: Item[] = []
  let next: string | undefined
  do {
    const { items, nextCursor } = await readPage(Math.min(pageSize, most - all.length), next)
    all.push(...items)
    next = nextCursor
  } while (next !== undefined && all.length < most)
  return { items: all, hasMore: next !== undefined }
}

// Every list gives out as many at a time.
const pageSize = 100

/** Names the lines of a file whose bot, at `bot` of a request, the service refuses. */
export async function placedIn<Result>(
  text: string,
  url: string,
  request: Promise<Result>,
): Promise<Result> {
  try {
    return await request
  } catch (error) {
    if (!isParleyError(error) || !error.data?.issues) throw error
    const issues = error.data.issues.map((issue) => {
      if (!issue.pointer?.startsWith("/bot")) return issue
      const { line, column } = positionIn(text, issue.pointer.slice("/bot".length))
      return { ...issue, place: [`${line}:${column}`, issue.place].filter(Boolean).join(" ") }
    })
    const data = { ...error.data, issues }
    throw new Error(sentences({ message: error.message, data }, url), { cause: error })
  }
}

/** A refusal in words: its message, then every issue that the message does not have. */
export function sentences(
  { message, data }: Pick<ParleyError, "message" | "data">,
  url: string,
): string {
  if (!data)
    return `The service at ${url} does not answer: start it, or give another address with --url.`
  const text = message.replace(/; \d+ more in `issues`$/, "")
  const [first, ...others] = data.issues ?? []
  const missing = first && !text.includes(first.message) ? [first, ...others] : others
  const issues = missing.map((issue) => {
    const where = [issue.place, issue.pointer && `(${issue.pointer})`].filter(Boolean).join(" ")
    return `\n- ${where}${where && ": "}${issue.message}`
  })
  return `${text}.${issues.join("")}`.replace("..", ".")
}
