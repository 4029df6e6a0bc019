/** parley list */

import { jsonArg, printJson, tell } from "./command.ts"
import { printTable } from "./printTable.ts"
import { listBots, serviceCommand } from "./withService.ts"

const titles = ["ID", "PUBLIC ID", "LIVE", "CHANGED", "WORKSPACE", "NAME"]

// Tokens for single bots see no workspace, and so no list.
const none =
  "There are no bots to list: `parley import <file>` adds one, or, if the token is for single bots, " +
  "name these by their ids."

export const listCommand = serviceCommand({
  name: "list",
  description: "List your bots, and those that are shared with you",
  args: { json: jsonArg },
  run: async ({ json }, { client }) => {
    const bots = await listBots(client)
    if (json) return printJson(bots)
    if (bots.length === 0) return tell(none)
    const rows = bots.map(({ id, publicId, publishedBotId, updatedAt, workspace, name }) => [
      id,
      publicId ?? "-",
      publishedBotId === undefined ? "no" : "yes",
      updatedAt.slice(0, 10),
      workspace ?? "(shared)",
      name,
    ])
    printTable([titles, ...rows])
  },
})
