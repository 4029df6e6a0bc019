/** Answers that the client reads bit by bit before the chat goes on. */
import { readJson } from "../../variables/readJson.ts"
import type { BlockContext, Received, Step } from "../block.ts"

/** The step that hands over to the client; undefined when the answer is not to be streamed. */
export function startStream(
  variableId: string | undefined,
  context: BlockContext,
): Step | undefined {
  if (variableId === undefined || !context.chat.isStreamEnabled) return undefined
  if (!context.isNextSpoken(variableId)) return undefined
  return { act: [{ type: "stream", stream: true }], next: "waitForClient" }
}

/** Takes the whole text that the client has read and shown; JSON is stored as its value. */
export function receiveStream(variableId: string | undefined, text: string): Received {
  if (variableId === undefined) return {}
  return { set: [{ variableId, value: readJson(text) }], skipsNextBubble: true }
}
