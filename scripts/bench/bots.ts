/** Bots of any size for measuring. */

import { openApi } from "../drills/api.ts"
import { place, say } from "../drills/flowParts.ts"

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

/** Publishes a flow under that public id, in a service with that token. Returns the bot's id. */
export async function importAndPublish(
  { address, token }: { address: string; token: string },
  publicId: string,
  flow: object,
): Promise<string> {
  return (await openApi(address, token).publish(flow, publicId)).id
}
