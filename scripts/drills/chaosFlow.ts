/** The bots of the chaos drill: both ask for ever, one calls upstream in every turn. */

/** The members that are needed of answers. */
type Answer = { workspaces?: { id: string }[]; bot?: { id: string } }

type Given = { address: string; token: string; upstreamUrl: string }

/** Publishes the bots and returns their public ids. */
export async function publishChaosBots({ address, token, upstreamUrl }: Given): Promise<string[]> {
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Answer
  }
  const { workspaces } = await call("GET", "/workspaces")
  const tell = {
    id: "tell",
    type: "Webhook",
    options: { webhook: { url: upstreamUrl, method: "POST" } },
    outgoingEdgeId: "again",
  }
  const flows = [flowOf({ outgoingEdgeId: "again" }), flowOf({}, tell)]
  const publicIds: string[] = []
  for (const [index, bot] of flows.entries()) {
    const publicId = `chaos-${index}`
    const imported = await call("POST", "/bots/import", { workspaceId: workspaces?.[0]?.id, bot })
    const path = `/bots/${imported.bot?.id}`
    await call("PATCH", path, { bot: { publicId } })
    await call("POST", `${path}/publish`)
    publicIds.push(publicId)
  }
  return publicIds
}

function flowOf(more: object, ...blocks: object[]): object {
  const at = { x: 0, y: 0 }
  const asking = { id: "ask", type: "text input", options: { variableId: "said" }, ...more }
  return {
    version: "6.1",
    name: "Chaos",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first", graphCoordinates: at }],
    groups: [{ id: "loop", title: "Loop", graphCoordinates: at, blocks: [asking, ...blocks] }],
    edges: [
      { id: "first", from: { eventId: "start" }, to: { groupId: "loop" } },
      {
        id: "again",
        from: { blockId: blocks.length > 0 ? "tell" : "ask" },
        to: { groupId: "loop" },
      },
    ],
    variables: [{ id: "said", name: "Said" }],
  }
}
