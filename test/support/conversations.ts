/** Talks to bots as gateways do: under keys of their own. */
import { type PublishedBot, type Step, textsOf } from "./publish.ts"
import type { Reply, TestServer } from "./server.ts"

/** What the message call answers. */
export type ConversationReply = Omit<Reply, "body"> & {
  body: Step & { conversation: { key: string; state: string; isNew: boolean }; code?: string }
}

type Part = { message?: unknown; headers?: Record<string, string>; [member: string]: unknown }

/** The conversation of a key with a bot, over REST. */
export function conversationOf(server: TestServer, { botId }: PublishedBot, key: string) {
  const path = `/api/v1/bots/${botId}/conversations/${encodeURIComponent(key)}`
  const send = async (message?: unknown, { headers, ...body }: Part = {}) => {
    const format = { textBubbleContentFormat: "markdown" }
    const sent = { ...format, ...body, ...(message !== undefined && { message }) }
    const options = { body: sent, ...(headers && { headers }) }
    return (await server.send("POST", `${path}/messages`, options)) as ConversationReply
  }
  return {
    path,
    send,
    /** The texts that a message is answered with. */
    say: async (message?: unknown, part?: Part) => textsOf((await send(message, part)).body),
    change: (body: object, headers: Record<string, string> = {}) =>
      server.send("PATCH", path, { body, headers }),
    async get() {
      const { body } = await server.send("GET", path)
      return body.conversation as Record<string, unknown> & { sessionId: string; resultId: string }
    },
  }
}
