/** Rebuilds a conversation from its stored turns. */

import { cut } from "../../lib/cut.ts"
import type { Bot } from "../bot.ts"
import type { Message, TeamMessage } from "../schema/message.ts"
import { allPassedIn, isCut, type Line, textOfAnswer, textOfMessage } from "../shown.ts"
import type { RecordedTurn } from "./recordedTurn.ts"

export type ConversationLine = Omit<Line, "isPartial" | "seen" | "from"> & {
  from: Line["from"] | "team"
  /** The name that a person of the team gave; absent: none, or another line. */
  author?: string | undefined
  /** Of a message beside the flow; absent: it is of a turn. */
  id?: string
  /** Milliseconds since 1970. */
  at: number
  /** Absent: the block is gone. */
  groupTitle?: string | undefined
  /** Absent: an opening message or one sent while the chat was paused, which answers nothing. */
  blockId?: string
  /** True: the chat was paused, so the bot ignored it. */
  wasPaused?: true
}

/** A conversation, with marks for missing parts. */
export type Conversation = {
  lines: ConversationLine[]
  /** Some turns stored only their answers. */
  isOld: boolean
  /** Some lines were cut, or omitted at the end of a long turn. */
  isPartial: boolean
}

/** A message that the bot ignored: it started the chat, or was said while the chat was paused. */
type KeptMessage = {
  id: string
  /** Milliseconds since 1970. */
  at: number
  message: Message | TeamMessage
}

/** Merges turns and messages while paused in the order they were stored. */
export function rebuildConversation(
  turns: readonly RecordedTurn[],
  kept: readonly KeptMessage[],
  bots: { get(version: string): Bot | undefined },
): Conversation {
  const lines = turns.flatMap(({ at, version: root, ...turn }) =>
    allPassedIn(turn).flatMap(({ blockId, version = root, line }): ConversationLine[] => {
      if (!line) return []
      const group = bots.get(version)?.positions.get(blockId)?.group
      const { from, type, seen, text: stored } = line
      const text = seen ?? stored
      return [{ at, from, groupTitle: group && cut(group.title), blockId, type, text }]
    }),
  )
  const startedAt = turns[0]?.at
  const said = kept.map(({ at, id, message }): ConversationLine => {
    if ("isTeam" in message) {
      const { text: content, attachedFileUrls, author } = message
      const text = textOfAnswer({ content, attachedFileUrls })
      return { at, id, from: "team", type: "text", text, author }
    }
    const type = message.type === "audio" ? "audio" : "text"
    const line = { at, id, from: "person", type, text: textOfMessage(message) } as const
    return at === startedAt ? line : { ...line, wasPaused: true }
  })
  return {
    // The opening message precedes the bot's messages of the same time.
    lines: [...said, ...lines].toSorted((a, b) => a.at - b.at),
    isOld: isOld(turns),
    isPartial: turns.some(
      (turn) => isCut(turn) || allPassedIn(turn).some(({ line }) => line?.isPartial === true),
    ),
  }
}

/** Whether some turns stored only answers: every other start or answer has a record of its content. */
export function isOld(turns: readonly RecordedTurn[]): boolean {
  return turns.some(({ shown, passed }, index) => !shown && (index === 0 || passed.length > 0))
}
