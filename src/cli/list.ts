/** parley list */
import { printTable } from "./columns.ts"
import { jsonArg, printJson, tell } from "./command.ts"
import { serviceCommand } from "./withService.ts"

const titles = ["ID", "PUBLIC ID", "LIVE", "CHANGED", "WORKSPACE", "NAME"]

/** Lists the bots of all workspaces of the caller. */
export const listCommand = serviceCommand({
  name: "list",
  description: "List your bots",
  args: { json: jsonArg },
  run: async ({ json }, { client }) => {
    const { workspaces } = await client.workspace.list.query()
    const lists = await Promise.all(
      workspaces.map(async ({ id: workspaceId, name: workspace }) => {
        const { bots } = await client.bot.list.query({ workspaceId })
        return bots.map((bot) => ({ ...bot, workspace }))
      }),
    )
    const bots = lists.flat()
    if (json) return printJson(bots)
    if (bots.length === 0) return tell("There are no bots: `parley import <file>` adds one.")
    const rows = bots.map(({ id, publicId, publishedBotId, updatedAt, workspace, name }) => [
      id,
      publicId ?? "-",
      publishedBotId === undefined ? "no" : "yes",
      updatedAt.slice(0, 10),
      workspace,
      name,
    ])
    printTable([titles, ...rows])
  },
})
