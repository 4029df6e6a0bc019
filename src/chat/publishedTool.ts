/** Bots that assistants call as tools, and what such a call returns beside what the bot says. */
import { findRunnable } from "../db/chats/runnable.ts"
import type { Bot } from "../engine/bot.ts"
import type { VariableValue } from "../engine/schema/variable.ts"
import type { Turn } from "../engine/turn/run.ts"
import { isOver } from "../engine/turn/settle.ts"
import { orNotFound } from "../lib/errors.ts"
import type { Chat } from "./chat.ts"
import { admitOrigin, type Origin } from "./sessions/loadSession.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"

export type PublishedTool = { bot: Bot; name: string }

/**
 * Finds the bot of a tool. 404 for everything that is no tool: bots that are unknown, not published, archived,
 * closed, of a suspended workspace, or not meant for assistants; 403 for pages that the author did not list.
 */
export async function requireTool(
  chat: Chat,
  publicId: string,
  from: Origin,
): Promise<PublishedTool> {
  const runnable = await findRunnable(chat.db, { publicId })
  const isOpen = runnable && !runnable.isClosed && !runnable.isSuspended
  const bot = isOpen ? (await chat.snapshots.load(runnable.versionId))?.bot : undefined
  const tool = bot?.flow.settings.general?.isTool ? bot : undefined
  const found = orNotFound(tool && runnable && { bot: tool, name: runnable.name }, "Tool")
  admitOrigin(chat, found.bot, from)
  return found
}

/** What a call of a tool returns beside the step. */
export type ToolOutcome =
  | { state: "asks" | "waits" }
  | {
      state: "ended"
      /** The last answer to each question, by its name in results. */
      answers: Record<string, string>
      /** Values of the variables that the author lets the tool return, by name. */
      variables: Record<string, VariableValue>
    }

/** The outcome of a turn: of an ended chat what results have, as far as the author returns it. */
export function toolOutcomeOf(turn: Turn, { root, owner }: LoadedSession): ToolOutcome {
  if (!isOver(turn)) return { state: turn.input === undefined ? "waits" : "asks" }
  const { variables: definitions, settings } = root.flow
  const returned = new Set(settings.general?.toolVariableIds)
  const hidden = new Set(
    definitions.flatMap(({ name, isSessionVariable }) => (isSessionVariable ? name : [])),
  )
  const record = turn.results.find(({ resultId }) => resultId === owner.resultId)
  const answers = record?.completed?.answers ?? []
  const kept = record?.row?.variables ?? []
  return {
    state: "ended",
    answers: Object.fromEntries(answers.filter(([name]) => !hidden.has(name))),
    variables: Object.fromEntries(
      kept.flatMap(({ id, name, value }) =>
        returned.has(id) && value !== undefined ? [[name, value]] : [],
      ),
    ),
  }
}
