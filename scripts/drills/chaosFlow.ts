/** The bots of the chaos drill: both ask for ever, one calls upstream in every turn. */
import { openApi } from "./api.ts"

type Given = { address: string; token: string; upstreamUrl: string }

/** Publishes the bots and returns their public ids. */
export async function publishChaosBots({ address, token, upstreamUrl }: Given): Promise<string[]> {
  const api = openApi(address, token)
  const tell = {
    id: "tell",
    type: "Webhook",
    options: { webhook: { url: upstreamUrl, method: "POST" } },
    outgoingEdgeId: "again",
  }
  const flows = [flowOf({ outgoingEdgeId: "again" }), flowOf({}, tell)]
  const publicIds: string[] = []
  for (const [index, flow] of flows.entries()) {
    publicIds.push((await api.publish(flow, `chaos-${index}`)).publicId)
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
