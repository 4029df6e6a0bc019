/** Turns what the engine came to into what the caller gets. */
import type { ChatMessage, ClientAction, DynamicTheme } from "../engine/payload.ts"
import type { AskedInput, Turn } from "../engine/run.ts"
import type { Log } from "../engine/schema/log.ts"

/** The part that every chat answer has. */
export type ChatStep = {
  lastMessageNewFormat?: string
  messages: ChatMessage[]
  input?: AskedInput
  clientSideActions?: ClientAction[]
  logs?: Log[]
  dynamicTheme?: DynamicTheme
  progress?: number
}

/** What a turn answers. */
export function respond(turn: Turn): ChatStep {
  const logs = shownLogs(turn)
  const isStart = turn.appearance !== undefined
  const lists = (list: readonly unknown[]) => list.length > 0 || (turn.hasWalked && !isStart)
  const { newFormat, input, actions, dynamicTheme, progress } = turn
  const step: ChatStep = { messages: turn.messages }
  if (newFormat !== undefined) step.lastMessageNewFormat = newFormat
  if (input !== undefined) step.input = input
  if (lists(actions)) step.clientSideActions = actions
  if (lists(logs)) step.logs = logs
  if (dynamicTheme !== undefined) step.dynamicTheme = dynamicTheme
  if (progress !== undefined) step.progress = progress
  return step
}

/** A preview shows all logs, a live chat those that are not for the authors alone. */
function shownLogs({ session, logs }: Turn): Log[] {
  if (!session.isPreview) return logs.filter(({ isInternal }) => !isInternal)
  return logs.map(({ isInternal: _, ...log }) => log)
}
