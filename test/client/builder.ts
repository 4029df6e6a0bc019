/** What a builder app does, over the package: list, edit, try, publish, chat, read results. */
import {
  createParleyClient,
  isParleyError,
  type ParleyClient,
  type ParleyOutputs,
} from "@parley/client"

/** Walks through all of it with a service, and returns what was answered in the chat. */
export async function build(url: string, token: string): Promise<string[]> {
  const parley = createParleyClient({ url, token })
  const { workspaces } = await parley.workspace.list.query()
  const workspaceId = workspaces[0]?.id ?? ""
  const { bot } = await parley.bot.create.mutate({ workspaceId, bot: { name: "Built" } })
  const { bots } = await parley.bot.list.query({ workspaceId })
  if (!bots.some(({ id }) => id === bot.id)) throw new Error("The new bot is not listed")
  const edited = await edit(parley, bot)
  await expectConflict(() => edit(parley, bot))
  await tryDraft(parley, bot.id)
  await parley.bot.publish.mutate({ botId: bot.id })
  const publicId = edited.publicId ?? ""
  const started = await parley.chat.start.mutate({ publicId })
  if (started.input?.type !== "choice input") throw new Error("A choice was to be asked")
  const [first] = started.input.items ?? []
  const message = first?.content ?? ""
  await parley.chat.continue.mutate({ sessionId: started.sessionId, message })
  const { results } = await parley.result.list.query({ botId: bot.id })
  return results.flatMap(({ answers }) => answers.map(({ content }) => content))
}

type Bot = ParleyOutputs["bot"]["get"]["bot"]

async function edit(parley: ParleyClient, bot: Bot): Promise<Bot> {
  const graphCoordinates = { x: 0, y: 0 }
  const blocks: Bot["groups"][number]["blocks"] = [
    { id: "say", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hi" }] }] } },
    { id: "ask", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
  ]
  const changed = await parley.bot.update.mutate({
    botId: bot.id,
    bot: {
      updatedAt: bot.updatedAt,
      publicId: `built-${bot.id}`,
      events: [{ id: "start", type: "start", outgoingEdgeId: "e", graphCoordinates }],
      groups: [{ id: "g", title: "Hello", graphCoordinates, blocks }],
      edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
    },
  })
  return changed.bot
}

/** Answers a question of the draft, looks at where that leads, and takes it back. */
async function tryDraft(parley: ParleyClient, botId: string): Promise<void> {
  const preview = parley.preview(botId)
  const passed: string[][] = []
  preview.onTrace((trace) => passed.push(trace?.blocks.map(({ blockId }) => blockId) ?? []))
  await preview.send("Yes")
  await preview.back()
  if (preview.state.input?.id !== "ask") throw new Error("The choice was to be asked again")
  if (passed.join(" ") !== "say,ask ask ") throw new Error(`It went ${passed.join(" ")}`)
}

async function expectConflict(call: () => Promise<unknown>): Promise<void> {
  const error = await call().catch((refused: unknown) => refused)
  if (isParleyError(error) && error.data?.reason === "STALE_DRAFT") return
  throw new Error("A stale edit was to be refused", { cause: error })
}
