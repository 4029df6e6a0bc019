/** The built service that benches measure, over a database of its own. */
import { join } from "node:path"
import { startEmbedded } from "../../src/postgres/start.ts"
import { ask, bot, group, say } from "../../test/support/bots.ts"
import {
  makeFolder,
  type ProductProcess,
  removeFolder,
  root,
  startProduct,
  stopProduct,
} from "../drills/product.ts"

export type MeasuredService = ProductProcess & { databaseUrl: string }

/** Starts both, and stops them when the work is done. */
export async function withService(
  work: (service: MeasuredService) => Promise<void>,
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  const folder = await makeFolder()
  const database = await startEmbedded({ dataFolder: join(folder, "database") })
  try {
    const service = await startProduct(root, {
      ...process.env,
      PORT: "0",
      DATABASE_URL: database.url,
      PARLEY_DATA: join(folder, "data"),
      PARLEY_LOG_LEVEL: "error",
      ...variables,
    })
    try {
      await work({ ...service, databaseUrl: database.url })
    } finally {
      await stopProduct(service)
    }
  } finally {
    await database.stop()
    await removeFolder(folder)
  }
}

/** A bot that asks, says what it heard and asks again; its other blocks are never visited. */
export function echoFlow(blocks: number) {
  const others = Array.from({ length: Math.floor((blocks - 3) / 5) }, (_, index) =>
    group(`Other ${index}`, ...Array.from({ length: 5 }, () => say("Not {{Said}} here"))),
  )
  const asking = ask.text({ id: "ask", saves: "Said" })
  const echo = say("You said {{Said}}", { to: "Loop#ask" })
  return bot(group("Loop", say("Say something"), asking, echo), ...others)
}

/** Starts so many chats with a published bot; returns the ids of their sessions. */
export async function startChats(
  { api }: ProductProcess,
  publicId: string,
  chats: number,
): Promise<string[]> {
  const sessionIds: string[] = []
  for (let chat = 0; chat < chats; chat++) sessionIds.push((await api.start(publicId)).sessionId)
  return sessionIds
}
