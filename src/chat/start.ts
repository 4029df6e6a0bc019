/** What starts of live chats and of previews have in common. */
import type { SchemaVersion } from "../engine/bot.ts"
import type { Message } from "../engine/schema/message.ts"
import type { ClientAppearance, Turn } from "../engine/turn/run.ts"
import { register, type StartRequest, start } from "../engine/turn/turn.ts"
import { type ChatStep, respond } from "./continueChat.ts"
import type { TurnRequest, TurnToTake } from "./takeTurn.ts"

/** What every start says. */
export type StartOptions = TurnRequest & {
  message?: Message | undefined
  isStreamEnabled: boolean
  isOnlyRegistering: boolean
  prefilledVariables?: Record<string, unknown> | undefined
  /** Previews only. */
  startFrom?: StartRequest["from"]
}

export type StartStep = ChatStep & {
  sessionId: string
  /** Absent in previews, and when no reply is expected. */
  resultId?: string
  /** The bot, as far as its clients need it; `version`: that in which the flow is stored. */
  bot: ClientAppearance & { id: string; version: SchemaVersion; publishedAt?: string }
}

type Start = Pick<TurnToTake<StartStep>, "request" | "isDroppable" | "begin" | "respond">

/** The turn of a start, but for where its session comes from. */
export function startTurn(request: StartOptions, publishedAt?: Date): Start {
  const { isOnlyRegistering, message: opening, startFrom: from } = request
  return {
    request,
    isDroppable: true,
    begin: (deps, session) =>
      isOnlyRegistering ? register(deps, session) : start(deps, session, { opening, from }),
    respond: (turn, { owner, root }) => {
      const { sessionId, resultId } = owner
      return {
        sessionId,
        ...(resultId !== undefined && wantsReply(turn) ? { resultId } : {}),
        bot: {
          id: root.id,
          version: root.flow.version,
          ...appearanceOf(turn),
          ...(publishedAt ? { publishedAt: publishedAt.toISOString() } : {}),
        },
        ...respond(turn),
      }
    },
  }
}

/** Whether the client is to answer; an embed that is waited for reports by itself. */
function wantsReply({ input, actions }: Turn): boolean {
  return input !== undefined || actions.some((action) => action.expectsDedicatedReply)
}

function appearanceOf({ appearance }: Turn): ClientAppearance {
  if (!appearance) throw new Error("A start without theme and settings")
  return appearance
}
