/** Fetches a bot of a running service, and those that it links to, for playing them here. */
import type { ParleyClient } from "../../client.ts"
import { type KnownVariables, withoutSecrets } from "../../effects/variables/turnVariables.ts"
import { type Flow, linkedBotIds } from "../../engine/bot.ts"
import { namesWorkspaceVariable } from "../../engine/variables/workspaceVariables.ts"
import { botIdOf } from "../withService.ts"
import { flowIn } from "./testFiles.ts"

/** A bot, by its id, among all that it leads to. */
export type FetchedBots = {
  id: string
  flows: ReadonlyMap<string, Flow>
  /** The variables of its workspace, no secret among them. */
  workspace: KnownVariables
}

const maxBots = 100

/** The draft of a bot, or one of its versions: `shop@3`. Linked bots as their drafts say. */
export async function fetchBots(client: ParleyClient, named: string): Promise<FetchedBots> {
  const [, name = named, number] = /^(.+)@([1-9]\d{0,8})$/.exec(named) ?? []
  const id = await botIdOf(client, name)
  const flows = new Map<string, Flow>()
  const waiting = [id]
  for (const botId of waiting) {
    if (flows.has(botId) || flows.size >= maxBots) continue
    const isRoot = botId === id
    const raw =
      isRoot && number !== undefined
        ? (await client.version.get.query({ botId, number: Number(number) })).version.bot
        : await draftOf(client, botId, isRoot)
    // A link to a bot that is gone leads nowhere on the service, too.
    const flow = raw === undefined ? undefined : flowIn(raw, JSON.stringify(raw))
    if (flow === undefined || Array.isArray(flow)) continue
    flows.set(botId, flow)
    waiting.push(...linkedBotIds(flow.groups, botId))
  }
  if (!flows.has(id)) throw new Error(`The bot ${named} cannot be played.`)
  const isNamed = [...flows.values()].some(namesWorkspaceVariable)
  return { id, flows, workspace: isNamed ? await variablesFor(client, id) : new Map() }
}

/** None for those who may not list them: their files must set them. */
async function variablesFor(client: ParleyClient, botId: string): Promise<KnownVariables> {
  const listed = client.bot.get
    .query({ botId })
    .then(({ bot: { workspaceId } }) => client.variable.list.query({ workspaceId }))
  const { variables } = await listed.catch(() => ({ variables: [] }))
  return withoutSecrets(
    new Map(variables.map(({ name, value = "", isSecret }) => [name, { value, isSecret }])),
  )
}

async function draftOf(client: ParleyClient, botId: string, isRoot: boolean): Promise<unknown> {
  const asked = client.bot.get.query({ botId }).then(({ bot }) => bot)
  return isRoot ? await asked : await asked.catch(() => undefined)
}
