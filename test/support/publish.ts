/** Publishes flows on a test server and talks to them over REST. */
import { expect } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import type { Reply, Sent, TestServer } from "./server.ts"

/** A bot that can be talked to. */
export type PublishedBot = { botId: string; publicId: string }

let published = 0

/** Imports and publishes a flow; the workspace is the first of the token's owner. */
export async function publishBot(
  server: Pick<TestServer, "send">,
  flow: Flow | object,
): Promise<PublishedBot> {
  const { body: listed } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = listed.workspaces as { id: string }[]
  const bot = { name: "Test", ...flow }
  const imported = await server.send("POST", "/api/v1/bots/import", {
    body: { workspaceId: workspace?.id, bot },
  })
  expect(imported.body, JSON.stringify(imported.body)).toHaveProperty("bot")
  const botId = (imported.body.bot as { id: string }).id
  const publicId = `test-${++published}`
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { publicId } } })
  const done = await server.send("POST", `/api/v1/bots/${botId}/publish`)
  expect(done.body).toMatchObject({ message: "success" })
  return { botId, publicId }
}

/** The parts of a chat answer that tests look at. */
export type Step = Reply["body"] & {
  sessionId: string
  resultId: string
  messages: { id: string; type: string; content: { markdown: string } }[]
  input?: { id: string; type: string; items?: { id: string; content?: string }[] }
}

/** A chat over REST; texts come as Markdown. */
export async function chatOver(server: TestServer, publicId: string, body: object = {}) {
  const format = { textBubbleContentFormat: "markdown" }
  const sent: Sent = { token: null, body: { ...format, ...body } }
  const started = await server.send("POST", `/api/v1/bots/${publicId}/startChat`, sent)
  expect(started.status, JSON.stringify(started.body)).toBe(200)
  const step = started.body as Step
  const path = `/api/v1/sessions/${step.sessionId}/continueChat`
  return {
    step,
    path,
    say: async (message?: unknown, headers?: Record<string, string>) => {
      const reply = await server.send("POST", path, {
        token: null,
        body: message === undefined ? format : { ...format, message },
        ...(headers ? { headers } : {}),
      })
      return { status: reply.status, headers: reply.headers, body: reply.body as Step }
    },
  }
}

/** The texts of a step. */
export function textsOf(step: Step): string[] {
  return step.messages.map((message) => message.content.markdown)
}
