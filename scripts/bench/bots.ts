/** Bots of any size for measuring. */

const place = { x: 0, y: 0 }

const say = (id: string, text: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text }] }] },
})

/** Asks, says what it heard and asks again; the other blocks are never visited. */
export function echoFlow(blocks: number): object {
  const others = Array.from({ length: Math.floor((blocks - 3) / 5) }, (_, index) => ({
    id: `other${index}`,
    title: `Other ${index}`,
    graphCoordinates: place,
    blocks: Array.from({ length: 5 }, (_, block) => say(`o${index}-${block}`, "Not {{Said}} here")),
  }))
  return {
    version: "6.1",
    name: `Echo of ${blocks} blocks`,
    events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }],
    groups: [
      {
        id: "loop",
        title: "Loop",
        graphCoordinates: place,
        blocks: [
          say("hello", "Say something"),
          { id: "ask", type: "text input", options: { variableId: "v1" } },
          { ...say("echo", "You said {{Said}}"), outgoingEdgeId: "e2" },
        ],
      },
      ...others,
    ],
    edges: [
      { id: "e1", from: { eventId: "start" }, to: { groupId: "loop" } },
      { id: "e2", from: { blockId: "echo" }, to: { groupId: "loop", blockId: "ask" } },
    ],
    variables: [{ id: "v1", name: "Said" }],
  }
}

/** Imports a flow over REST and publishes it under that public id. */
export async function importAndPublish(
  { address, token }: { address: string; token: string },
  publicId: string,
  flow: object,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(`${address}/api/v1${path}`, init)
    // biome-ignore lint/suspicious/noExplicitAny: the shape of each answer is known where it is used
    const answer: any = await response.json()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const { workspaces } = await send("GET", "/workspaces")
  const { bot } = await send("POST", "/bots/import", { workspaceId: workspaces[0].id, bot: flow })
  await send("PATCH", `/bots/${bot.id}`, { bot: { publicId } })
  await send("POST", `/bots/${bot.id}/publish`)
  return bot.id
}
