/** Chats with a bot that asks for ever: what was said, and what of it was acknowledged. */

/** A chat that talks by itself until it is told to finish. */
export type LoopTalk = {
  resultId: string
  /** Turns that were acknowledged so far. */
  answered(): number
  /** Stops talking; resolves to the number of turns that were sent. */
  finish(): Promise<number>
  /** Says something to a service; resolves to the status. */
  say(address: string, message: string): Promise<number>
}

/** A bot that asks for ever. */
export const loopFlow = {
  version: "6.1",
  name: "Loop",
  events: [{ id: "s", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "g",
      title: "Ask",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [{ id: "b", type: "text input", outgoingEdgeId: "e2" }],
    },
  ],
  edges: [
    { id: "e1", from: { eventId: "s" }, to: { groupId: "g" } },
    { id: "e2", from: { blockId: "b" }, to: { groupId: "g" } },
  ],
  variables: [],
}

/** Publishes the bot as `loop`. */
export async function publishLoop(address: string, token: string): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as { workspaces?: { id: string }[]; bot?: { id: string } }
  }
  const { workspaces } = await call("GET", "/workspaces")
  const imported = { workspaceId: workspaces?.[0]?.id, bot: loopFlow }
  const { bot } = await call("POST", "/bots/import", imported)
  await call("PATCH", `/bots/${bot?.id}`, { bot: { publicId: "loop" } })
  await call("POST", `/bots/${bot?.id}/publish`)
}

/** Starts chats, which talk at once. */
export async function openLoopTalks(address: string, number: number): Promise<LoopTalk[]> {
  return await Promise.all(Array.from({ length: number }, () => openLoopTalk(address)))
}

async function openLoopTalk(address: string): Promise<LoopTalk> {
  const started = await post(`${address}/api/v1/bots/loop/startChat`, {})
  const { sessionId, resultId } = (await started.json()) as Record<string, string>
  const say = async (service: string, message: string) =>
    (await post(`${service}/api/v1/sessions/${sessionId}/continueChat`, { message })).status
  let answered = 0
  let sent = 0
  let isFinished = false
  const talking = (async () => {
    while (!isFinished) {
      sent += 1
      if ((await say(address, `word ${sent - 1}`)) !== 200) throw new Error("A turn was refused")
      answered += 1
    }
    return sent
  })()
  return {
    resultId: String(resultId),
    answered: () => answered,
    finish: () => {
      isFinished = true
      return talking
    },
    say,
  }
}

function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" }
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
}
