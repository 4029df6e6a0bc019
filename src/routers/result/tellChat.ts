/** Tells a conversation: by the way of its turns, or by its answers when that was not kept. */

import type { Bot } from "../../engine/bot.ts"
import { type Fuel, OutOfFuel, openFuel } from "../../engine/budget/fuel.ts"
import { liveLimits } from "../../engine/budget/limits.ts"
import type { Call, Script } from "../../engine/calls.ts"
import { cut } from "../../engine/cut.ts"
import { withKept } from "../../engine/recorded/keptMessages.ts"
import { type ConversationLine, replayTurns, type Told } from "../../engine/recorded/replayTurns.ts"
import type { Telling } from "../../engine/recorded/stage.ts"
import { replay } from "../../engine/transcript.ts"
import { newId } from "../../ids.ts"
import type { Context } from "../context.ts"
import { type ReadChat, tooLongToTell } from "./recordedChat.ts"

/** Code in texts runs once more, unless it calls out: that was done already. */
const scriptMs = 10_000

/** As `ConversationLine`s, and why they may not be exact. */
export async function tellChat(
  { chat: service }: Pick<Context, "chat">,
  chat: ReadChat,
): Promise<Told> {
  if (chat.result.isArchived) return { lines: [], inexact: new Set() }
  const { lines, inexact } = await tellTurns(service, chat)
  if (isForgotten(service, chat)) inexact.add("forgotten")
  const kept = chat.own.kept.map(({ createdAt, message }) => ({ at: createdAt.getTime(), message }))
  return { lines: withKept(lines, kept), inexact }
}

/** Values of chats that nobody answered are not kept for long. */
function isForgotten({ unansweredMs }: Context["chat"], { result, bots, version }: ReadChat) {
  const ageMs = Date.now() - result.createdAt.getTime()
  return !result.hasStarted && ageMs > unansweredMs && bots.get(version)?.watched.size !== 0
}

async function tellTurns(service: Context["chat"], chat: ReadChat): Promise<Told> {
  if (!chat.isTraced) return withinBudget((fuel) => tellUntraced(chat, fuel))
  const tell = (inline: Telling["inline"]) =>
    withinBudget((fuel) => replayTurns(chat, { bots: chat.bots, world, inline, fuel }))
  const missing = new Map<string, Script>()
  const first = tell((script) => {
    missing.set(JSON.stringify(script), script)
    return undefined
  })
  if (missing.size === 0) return first
  const known = await run(service, chat, missing)
  return tell((script) => known.get(JSON.stringify(script)))
}

/** As much as one call of a live chat may take. */
export function withinBudget<Result>(work: (fuel: Fuel) => Result): Result {
  try {
    return work(openFuel(liveLimits.fuel))
  } catch (error) {
    throw error instanceof OutOfFuel ? tooLongToTell() : error
  }
}

const world = { now: Date.now, random: () => 0, newId }

async function run(
  { effects }: Context["chat"],
  { result }: ReadChat,
  missing: ReadonlyMap<string, Script>,
): Promise<Map<string, { value?: unknown }>> {
  const { botId, resultId } = result
  const call: Call<"script"> = { kind: "script", scripts: [...missing.values()] }
  if (effects.isOutside(call)) return new Map()
  const outcome = await effects.perform(call, {
    botId,
    resultId,
    sessionId: resultId,
    isPreview: false,
    isRestricted: false,
    idempotencyKey: resultId,
    turnKey: resultId,
    signal: AbortSignal.timeout(scriptMs),
  })
  const results = "results" in outcome ? outcome.results : []
  const keys = [...missing.keys()]
  return new Map(
    results.flatMap((one, index) => ("value" in one ? [[keys[index] ?? "", one] as const] : [])),
  )
}

function tellUntraced({ own, bots, result, version }: ReadChat, fuel: Fuel): Told {
  const bot = bots.get(version)
  if (!bot) return { lines: [], inexact: new Set(["versionGone"]) }
  const history = {
    answers: own.answers.map(({ blockId, content, attachedFileUrls }) => ({
      blockId,
      content,
      attachedFileUrls: attachedFileUrls ?? undefined,
    })),
    edges: own.steps.flatMap(({ edgeIds }) => edgeIds),
    changes: own.steps.flatMap(({ setVariables }) => (setVariables ?? []) as never[]),
  }
  const times = own.answers.filter(({ blockId }) => bot.positions.has(blockId))
  let at = result.createdAt.getTime()
  const lines = replay({ bot, history, world, fuel }).map((line): ConversationLine => {
    if (line.role === "user") at = times.shift()?.createdAt.getTime() ?? at
    const { blockId, type, content, attachedFileUrls = [] } = line
    return {
      at,
      from: line.role === "bot" ? "bot" : "person",
      groupTitle: titleOf(bot, blockId),
      blockId,
      type,
      text: [attachedFileUrls.join(", "), content].filter(Boolean).join("\n\n"),
    }
  })
  return { lines, inexact: new Set(["untraced"]) }
}

function titleOf(bot: Bot, blockId: string): string | undefined {
  const position = bot.positions.get(blockId)
  return position && cut(position.group.title)
}
