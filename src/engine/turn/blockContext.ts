/** Builds the context of a block, and requests the inline code that the block needs first. */

import type { BlockContext } from "../blocks/block.ts"
import { typeOf } from "../blocks/registry.ts"
import { blockAt, hasEvents } from "../bot.ts"
import { type Call, type Failure, isFailure, type ScriptOutcome } from "../calls.ts"
import type { Log } from "../schema/log.ts"
import { currentOf } from "../session.ts"
import { passedIn, spoken } from "../shown.ts"
import { inlineScript } from "../variables/code.ts"
import { inlineCodesIn } from "../variables/interpolate.ts"
import { nextPosition, placeName } from "./places.ts"
import { addLogs } from "./recording.ts"
import { botOf, type LiveBlockContext, type Run, storeOf } from "./run.ts"

/** The context of the current bot, rebuilt only when the current bot changes. */
export function contextOf(run: Run): BlockContext {
  run.context ??= createBlockContext(run)
  // Not getters: V8 creates a hidden class for each object that defines its own, and keeps it long.
  run.context.carry = run.continuation.carry
  run.context.runtimeOptions = run.session.runtimeOptions
  return run.context
}

function createBlockContext(run: Run): LiveBlockContext {
  const { session } = run
  const running = currentOf(session)
  const isOld = !hasEvents(botOf(run).flow.version)
  return {
    variables: storeOf(run, running),
    fuel: run.fuel,
    inline: (source) => {
      const result = run.continuation.inline?.[source]
      return result ? { value: result.value } : undefined
    },
    world: run.deps.world,
    chat: {
      isPreview: session.isPreview,
      resultId: running.resultId,
      isStreamEnabled: session.isStreamEnabled,
      textFormat: run.deps.textFormat ?? "richText",
      printsLastOfList: isOld,
      mergesLinks: isOld,
      language: session.language,
      ownHost: run.deps.ownHost,
    },
    answers: () => running.answers,
    transcript: () => transcriptOf(run),
    isNextSpoken: (variableId) => isNextSpoken(run, variableId),
    carry: undefined,
    runtimeOptions: undefined,
  }
}

/** The chat so far as text; empty without messages. */
function transcriptOf({ session, continuation, results }: Run): string {
  const root = session.queue.at(-1)
  const record = results.find(({ resultId }) => resultId === root?.resultId)
  const present = record ? spoken(passedIn({ ...record, shown: record.shown?.parts })) : []
  return [...(session.lines ?? continuation.past ?? []), ...present]
    .map(({ from, text }) => `${from === "bot" ? "Assistant" : "User"}: "${text}"`)
    .join("\n\n")
}

function isNextSpoken(run: Run, variableId: string): boolean {
  const bot = botOf(run)
  const here = bot.positions.get(run.continuation.blockId ?? "")
  const block = blockAt(here && nextPosition(bot, here))
  if (!block) return false
  const type = typeOf(block)
  const name = type.kind === "bubble" ? type.speaks?.(block) : undefined
  return name !== undefined && storeOf(run).named(name)?.id === variableId
}

/** The call that evaluates the inline code of these parts; undefined when none is left to evaluate. */
export function inlineCall(run: Run, parts: readonly object[]): Call<"script"> | undefined {
  const missing = missingInline(run, parts)
  if (missing.length === 0) return undefined
  const variables = storeOf(run)
  return {
    kind: "script",
    scripts: missing.map((source) => inlineScript(source, variables, run.fuel)),
  }
}

/** Keeps the results of the inline code of these parts, and logs each failure with its block. */
export function keepInline(
  run: Run,
  parts: readonly object[],
  results: readonly ScriptOutcome[],
): void {
  const kept = missingInline(run, parts).map((source, index) => {
    const result = results[index]
    if (result && !isFailure(result)) return [source, { value: result.value }] as const
    if (result) addLogs(run, [inlineFailure(run, source, result)])
    return [source, null] as const
  })
  // fromEntries defines own members, so code named __proto__ is safe.
  run.continuation.inline = { ...run.continuation.inline, ...Object.fromEntries(kept) }
}

/** Live chats never send the source and the place, which are for authors. */
function inlineFailure(run: Run, source: string, { description, details }: Failure): Log {
  const here = botOf(run).positions.get(run.continuation.blockId ?? "")
  const block = blockAt(here)
  return {
    status: "error",
    context: "While evaluating inline code",
    description,
    details: details === undefined ? source : `${source}\n${details}`,
    place: here && block ? placeName(here, block) : "theme and settings",
    isInternal: true,
  }
}

function missingInline(run: Run, parts: readonly object[]): readonly string[] {
  let sources: Set<string> | undefined
  for (const part of parts) {
    for (const source of inlineCodesIn(part)) {
      if (run.continuation.inline && Object.hasOwn(run.continuation.inline, source)) continue
      sources ??= new Set()
      sources.add(source)
    }
  }
  return sources ? [...sources] : none
}

const none: readonly string[] = []
