/** A chat with a bot in a file, which is recorded; the person stands in for the outside, too. */

import type { Turn } from "../../engine/turn/run.ts"
import { AppError } from "../../lib/errors.ts"
import { readJson } from "../../lib/foreignJson.ts"
import { awaitsCall } from "../../workshop/play/play.ts"
import { questionOf, readAnswer } from "../../workshop/record/answers.ts"
import {
  openRecording,
  type Recording,
  type RecordingParts,
} from "../../workshop/record/openRecording.ts"
import { inWords } from "./replyWords.ts"
import type { Step } from "./show.ts"
import { type Terminal, talkIn } from "./talk.ts"

/** Talks until the chat is over or no more lines come, and returns the record. */
export async function recordChat(
  terminal: Terminal,
  parts: Omit<RecordingParts, "answer">,
): Promise<Recording> {
  const recording = openRecording({
    ...parts,
    answer: async (asked) => {
      const question = questionOf(asked)
      if (!question) return readAnswer(asked, "")
      terminal.show(`[outside] ${question.text}`)
      terminal.show(`  (${question.hint})`)
      return readAnswer(asked, (await terminal.ask()) ?? "")
    },
  })
  /** The question stays. */
  const askedAgain = (): Step | undefined => {
    const input = recording.turn()?.input
    return input && { messages: [], input }
  }
  /** Reports the result of a message. */
  const stepAfter = async (turns: () => Promise<Turn[]>): Promise<Step | undefined> => {
    try {
      const taken = await turns()
      if (taken.length > 0) return stepOf(taken)
      terminal.show("(This does not fit into the recording, which ends before it.)")
      return undefined
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      terminal.show(`(The service would refuse this: ${error.message}.)`)
      return askedAgain()
    }
  }
  const first = await stepAfter(() => recording.say(undefined))
  if (!first) throw new Error("Nothing was recorded, because the bot cannot start.")
  await talkIn(terminal, {
    first,
    send: async ({ message }) => {
      const last = recording.turn()
      if (typeof message === "object" && message !== null) {
        return await stepAfter(() => recording.say(inWords(last?.input, message)))
      }
      // A page would report now; the recording has done that.
      if (!last?.isWaiting || !awaitsCall(last)) return askedAgain()
      const body = await askForBody(terminal)
      return body && (await stepAfter(() => recording.receive(body.json)))
    },
  })
  return recording
}

type Body = Parameters<Recording["receive"]>[0]

/** What another system sends to the bot. */
async function askForBody(terminal: Terminal): Promise<{ json: Body } | undefined> {
  for (;;) {
    terminal.show("  (the bot waits for a call of its webhook: its JSON body; empty line: {})")
    const line = await terminal.ask()
    if (line === undefined) return undefined
    if (line.trim() === "") return { json: {} }
    const json = readJson(line)
    if (json !== line) return { json: json as Body }
    terminal.show("  (This is no JSON.)")
  }
}

/** The turns up to the next question as the chat API would show them. */
function stepOf(turns: readonly Turn[]): Step {
  const last = turns.at(-1)
  const messages = turns.flatMap((turn) => turn.messages)
  const isCalled = last?.isWaiting === true && awaitsCall(last)
  const actions = turns.flatMap((turn) =>
    turn.actions.map((action) => ({
      ...action,
      expectsDedicatedReply: turn === last && isCalled && action.expectsDedicatedReply,
    })),
  )
  return { messages, clientSideActions: actions, ...(last?.input && { input: last.input }) }
}
