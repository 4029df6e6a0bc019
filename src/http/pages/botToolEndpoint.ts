/** Answers assistants that call a published bot as a tool, without a token. */
import { createCap } from "../../lib/caps.ts"
import { notFound, unavailable } from "../../lib/errors.ts"
import { once } from "../../lib/once.ts"
import { networkOf } from "../../lib/party.ts"
import { callBotTool, requireBotTool } from "../../routers/chat/botTool.ts"
import { startProcedure } from "../../routers/chat/start.ts"
import { createContext, type Services } from "../../routers/context.ts"
import { maxInputBytesOf } from "../../routers/trpc.ts"
import { requireMethod, sendCompressed, sendEmpty } from "../answer.ts"
import { readMembers } from "../bodies/body.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf, requireClient } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { factsOf } from "../rest/rest.ts"

type BotToolOptions = { services: Services; version: string }

/** Answers `POST /mcp/bots/{publicId}`. */
export function createBotToolEndpoint({ services, version }: BotToolOptions): Endpoint {
  // Loaded at the first request of an assistant.
  const open = once(() => import("../../mcp/botMcp.ts"))
  const admit = createCap("toolMessages")
  return {
    path: /^\/mcp\/bots\/([^/]+)\/?$/,
    operation: "botTool",
    isForChats: true,
    origins: "*",
    async answer(exchange, [, segment = ""]) {
      requireMethod(exchange, "POST, OPTIONS", "Messages are sent by POST, and answered at once")
      const leave = admit({ address: networkOf(exchange.ip) }, () =>
        unavailable("Too many messages are being answered", 1),
      )
      await answer(exchange, segment).finally(leave)
    },
  }

  async function answer(exchange: Exchange, segment: string): Promise<void> {
    // Callers are visitors: a token or a cookie gives no more rights.
    const sender = { authorization: undefined, cookie: undefined, idempotencyKey: undefined }
    const ctx = createContext(services, { ...factsOf(exchange), ...sender })
    const tool = await requireBotTool(ctx, publicIdIn(segment))
    const body = await readMembers(exchange, { maxBytes: maxInputBytesOf(startProcedure) })
    requireClient(exchange)
    const { answerBotMessage } = await open()
    const bot = {
      tool,
      version,
      call: (sent: unknown) => callBotTool(ctx, tool, sent),
      report: (refused: Pick<Parameters<typeof logRefusal>[1], "refusal" | "error">) =>
        logRefusal(services.log, { exchange, ...refused }),
    }
    const named = headerOf(exchange.request, "mcp-protocol-version")
    const response = await answerBotMessage(bot, { body, version: named })
    if (response.body === null) return sendEmpty(exchange, response.status)
    await sendCompressed(exchange, response.status, await response.text())
  }
}

function publicIdIn(segment: string): string {
  try {
    const publicId = decodeURIComponent(segment)
    // PostgreSQL has no such character in texts.
    if (!publicId.includes("\0")) return publicId
  } catch {
    // As unknown as any other.
  }
  throw notFound("Tool")
}
