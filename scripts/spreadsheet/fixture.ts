/** Results whose cells and column names are hostile, and the table that their export must be. */

import { plainCell } from "../../src/engine/recorded/csv.ts"
import { place } from "../drills/flowParts.ts"
import { hostileTexts } from "./texts.ts"

/** An export, and the cells that it must have. */
export type Exported = { file: Buffer; table: string[][] }

type Call = (method: string, path: string, body?: object) => Promise<Response>

/** Lets chats answer with every hostile text in every column, and exports the results. */
export async function exportHostileResults(address: string, token: string): Promise<Exported> {
  const call: Call = (method, path, body) =>
    fetch(`${address}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
  const botId = await publishBot(call)
  const chats: { resultId: string; replies: string[] }[] = []
  for (let turn = 0; turn < hostileTexts.length; turn++) {
    const replies = hostileTexts.map(
      (_, index) => hostileTexts[(index + turn) % hostileTexts.length] ?? "",
    )
    chats.push({ resultId: await talk(call, replies), replies })
  }
  const query = "format=csv&timeFilter=allTime"
  const response = await checked(await call("GET", `/bots/${botId}/results/export?${query}`))
  const file = Buffer.from(await response.arrayBuffer())
  const listed = await listResults(call, botId)
  const rows = chats.toReversed().map(({ resultId, replies }) => {
    const { createdAt, variables } = listed.get(resultId) ?? missing(resultId)
    // A variable doubles a backslash that begins no escape, unlike an answer.
    const stored = new Map(variables.map(({ id, value }) => [id, value]))
    const values = names.map((_, n) => stored.get(`v${n}`) ?? "")
    return [resultId, createdAt, "yes", "1", ...[...replies, ...values].map(plainCell)]
  })
  return { file, table: [header(), ...rows] }
}

/** Hostile from the first sign on, and each other than the rest without the space around it. */
const names = hostileTexts.map((text, index) => `${text} ${index}`)

/** Inputs are named by group and variable, variables by themselves. */
function header(): string[] {
  const inputs = names.map((name) => `${name.trim()}: ${name.trim()}`)
  return [..."id created completed version".split(" "), ...[...inputs, ...names].map(plainCell)]
}

/** A bot that asks once for each name, in a group and into a variable of that name. */
async function publishBot(call: Call): Promise<string> {
  const numbers = [...names.keys()]
  const bot = {
    version: "6.1",
    name: "Sheet",
    events: [{ id: "s", type: "start", outgoingEdgeId: "e0", graphCoordinates: place }],
    groups: numbers.map((n) => ({
      id: `g${n}`,
      title: names[n],
      graphCoordinates: place,
      blocks: [
        {
          id: `b${n}`,
          type: "text input",
          options: { variableId: `v${n}` },
          ...(n + 1 < numbers.length && { outgoingEdgeId: `e${n + 1}` }),
        },
      ],
    })),
    edges: numbers.map((n) => ({
      id: `e${n}`,
      from: n === 0 ? { eventId: "s" } : { blockId: `b${n - 1}` },
      to: { groupId: `g${n}` },
    })),
    variables: numbers.map((n) => ({ id: `v${n}`, name: names[n] })),
  }
  const listed = await checked(await call("GET", "/workspaces"))
  const { workspaces } = (await listed.json()) as { workspaces: { id: string }[] }
  const imported = await call("POST", "/bots/import", { workspaceId: workspaces[0]?.id, bot })
  const { bot: made } = (await (await checked(imported)).json()) as { bot: { id: string } }
  await checked(await call("PATCH", `/bots/${made.id}`, { bot: { publicId: "sheet" } }))
  await checked(await call("POST", `/bots/${made.id}/publish`))
  return made.id
}

type Step = { sessionId: string; resultId: string }

async function talk(call: Call, replies: readonly string[]): Promise<string> {
  const started = await checked(await call("POST", "/bots/sheet/startChat", {}))
  const { sessionId, resultId } = (await started.json()) as Step
  for (const text of replies) {
    const message = { type: "text", text }
    await checked(await call("POST", `/sessions/${sessionId}/continueChat`, { message }))
  }
  return resultId
}

type Listed = {
  id: string
  createdAt: string
  variables: { id: string; value: string }[]
}

async function listResults(call: Call, botId: string): Promise<Map<string, Listed>> {
  const path = `/bots/${botId}/results?timeFilter=allTime&limit=500`
  const listed = await checked(await call("GET", path))
  const { results } = (await listed.json()) as { results: Listed[] }
  return new Map(results.map((result) => [result.id, result]))
}

function missing(resultId: string): never {
  throw new Error(`The list has no result ${resultId}`)
}

async function checked(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return response
}
