/** A conversation as a test: what the bot says and asks, what the user replies. */
import { expect } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import type { Call, CallKind, Outcome } from "../../src/engine/calls.ts"
import type { ResultRecord } from "../../src/engine/records.ts"
import { toMarkdown } from "../../src/engine/richText/toMarkdown.ts"
import type { Message } from "../../src/engine/schema/message.ts"
import { createSession, readSession, writeSession } from "../../src/engine/session.ts"
import { passedIn, spoken } from "../../src/engine/shown.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"
import { isOver } from "../../src/engine/turn/settle.ts"
import { fallSilent, type Steering, steer } from "../../src/engine/turn/steer.ts"
import { register, reply, resume, start } from "../../src/engine/turn/turn.ts"
import { expectTranscript, isComparable } from "./expectTranscript.ts"
import { deepFreeze } from "./freeze.ts"
import { runScripts } from "./outside.ts"
import { rootResultId, stageOf, type TalkParts } from "./talkStage.ts"

/** Starts a conversation with a bot. */
export function talk(flow: Flow, parts: TalkParts = {}) {
  const stage = stageOf(flow, parts)
  const bot = stage.bots.get("root")
  if (!bot) throw new Error("no bot")
  const isPreview = parts.isPreview ?? false
  const opened = createSession({
    isStreamEnabled: false,
    isProgressShown: flow.theme.general?.progressBar?.isEnabled ?? false,
    ...(isPreview ? {} : { resultId: rootResultId }),
    ...parts,
    isPreview,
    bot,
  })
  const session = deepFreeze(opened)
  const turn = parts.isOnlyRegistering ? register(stage, session) : start(stage, session, parts)
  return conversation({ stage, parts, turn, results: [], turns: [] })
}

type State = {
  stage: EngineDeps
  parts: TalkParts
  turn: Turn
  results: ResultRecord[]
  turns: Turn[]
  /** Body of a call that was not taken yet. */
  inbound?: string | undefined
}

function conversation(state: State) {
  const seen = { message: 0, action: 0 }
  const settle = (turn: Turn) => {
    let next = survive(turn)
    while (next.call) {
      const { call } = next
      const outcome = answerOf(state, call)
      if (outcome === undefined) break
      next = survive(resume(state.stage, deepFreeze(next), deepFreeze(outcome)))
    }
    state.turn = next
    if (!next.call) {
      state.results.push(...next.results)
      state.turns.push(next)
      if (isComparable(state.parts)) expectTranscript(next)
    }
    Object.assign(seen, { message: 0, action: 0 })
  }
  settle(state.turn)
  const stored = () => deepFreeze(readSession(writeSession(state.turn.session)))
  const talk = {
    /** The present turn. */
    get turn() {
      return state.turn
    },
    /** Everything recorded so far, oldest first. */
    get results() {
      return state.results
    },
    /** All finished turns, oldest first. */
    get past() {
      return state.turns
    },
    /** The next messages are these texts (as Markdown). */
    bot(...texts: string[]) {
      for (const text of texts) {
        expect(textOf(state.turn, seen.message)).toBe(text)
        seen.message += 1
      }
      return talk
    },
    /** The next message is this rich text. */
    rich(...nodes: object[]) {
      const content = { type: "richText", richText: nodes }
      expect(state.turn.messages[seen.message]).toMatchObject({ type: "text", content })
      expect(state.turn.messages[seen.message]?.content).toEqual(content)
      seen.message += 1
      return talk
    },
    /** The next message is of this type with this content. */
    shows(type: string, content: object) {
      expect(state.turn.messages[seen.message]).toMatchObject({ type, content })
      seen.message += 1
      return talk
    },
    /** No further message. */
    silent() {
      expect(state.turn.messages.slice(seen.message)).toEqual([])
      return talk
    },
    /** Asks for that type of input, after nothing but the messages already seen. */
    asks(type: string, input: object = {}) {
      talk.silent()
      expect(state.turn.input).toMatchObject({ type, ...input })
      return talk
    },
    /** The next client-side action. */
    does(action: object) {
      expect(state.turn.actions[seen.action]).toMatchObject(action)
      seen.action += 1
      return talk
    },
    /** No further client-side action. */
    idle() {
      expect(state.turn.actions.slice(seen.action)).toEqual([])
      return talk
    },
    /** Waits for the client or a page, and asks nothing. */
    waits() {
      talk.silent()
      expect(state.turn.input).toBeUndefined()
      expect(state.turn.isWaiting).toBe(true)
      return talk
    },
    /** The user, or the client, sends this. */
    user(message?: string | Message) {
      const sent =
        typeof message === "string" ? ({ type: "text", text: message } as const) : message
      settle(reply(state.stage, stored(), sent))
      return talk
    },
    /** Nobody has said anything for this long. */
    fallsSilent(afterSeconds: number) {
      settle(fallSilent(state.stage, stored(), afterSeconds))
      return talk
    },
    /** Somebody steers the chat from outside. */
    steered(steering: Steering) {
      settle(steer(state.stage, stored(), steering))
      return talk
    },
    /** As if the chat waited at that block. */
    at(blockId: string) {
      state.turn = { ...state.turn, session: { ...state.turn.session, at: blockId } }
      return talk
    },
    /** Another system has called the block that waits; the client says so. */
    called(body: object, claim?: string) {
      state.inbound = JSON.stringify(body)
      return talk.user(claim)
    },
    /** The end user fires a command. */
    commands(command: string) {
      return talk.user({ type: "command", command })
    },
    /** A call of that kind is pending with these members. */
    calls<K extends CallKind>(kind: K, call: object = {}) {
      expect(state.turn.call).toMatchObject({ kind, ...call })
      return talk
    },
    /** The world answers the pending call. */
    gets(outcome: Outcome) {
      settle(resume(state.stage, deepFreeze(state.turn), deepFreeze(outcome)))
      return talk
    },
    /** A log of this turn contains this. */
    logs(description: string | RegExp) {
      const logs = state.turn.logs.map((log) => log.description)
      expect(logs).toContainEqual(
        typeof description === "string" ? description : expect.stringMatching(description),
      )
      return talk
    },
    /** The value of a variable of the current bot, by name. */
    knows(name: string, value: unknown) {
      expect(variableOf(state, name)).toEqual(value)
      return talk
    },
    /** The saved form of the last reply differs from what was sent; undefined: it does not. */
    newFormat(text: string | undefined) {
      expect(state.turn.newFormat).toBe(text)
      return talk
    },
    /** Everything answered so far and stored with the first result, in order. */
    answered(...contents: string[]) {
      expect(recordsOf(state).flatMap((record) => record.answers.map((a) => a.content))).toEqual(
        contents,
      )
      return talk
    },
    /** The last row of the first result; variables by name. */
    stored(variables: Record<string, unknown>, flags: object = {}) {
      const row = recordsOf(state).findLast((record) => record.row)?.row
      expect(row).toMatchObject(flags)
      expect(Object.fromEntries((row?.variables ?? []).map((v) => [v.name, v.value]))).toEqual(
        variables,
      )
      return talk
    },
    /** Every edge that was taken off the default path and stored with the first result. */
    visited(...edges: string[]) {
      expect(recordsOf(state).flatMap((record) => record.edges)).toEqual(edges)
      return talk
    },
    /** The turn has these members. */
    turns(part: object) {
      expect(state.turn).toMatchObject(part)
      return talk
    },
    /** Nothing further is said or asked. */
    ends() {
      talk.silent()
      expect(state.turn.input).toBeUndefined()
      expect(isOver(state.turn)).toBe(true)
      return talk
    },
  }
  return talk
}

function recordsOf(state: State): ResultRecord[] {
  return state.results.filter((record) => record.resultId === rootResultId)
}

function answerOf(state: State, call: Call): Outcome | undefined {
  const own = state.parts.answers?.[call.kind] as ((call: Call) => Outcome) | undefined
  if (own) return own(call)
  if (call.kind === "script") return runScripts(call)
  if (call.kind === "inboundCall") {
    const body = state.inbound
    state.inbound = undefined
    return body === undefined ? {} : { body }
  }
  if (call.kind === "bot") {
    const version = `version of ${call.botId}`
    if (state.stage.bots.get(version)) return { version }
    return { failed: true, description: `No bot ${call.botId}` }
  }
  if (call.kind === "history") {
    const own = state.results.filter((record) => record.resultId === call.resultId)
    const past = own.flatMap(({ answers, shown }) => passedIn({ answers, shown: shown?.parts }))
    return { lines: spoken(past) }
  }
  return undefined
}

/** A turn is plain JSON: it survives being written down. */
function survive(turn: Turn): Turn {
  const copy: Turn = JSON.parse(JSON.stringify(turn))
  expect(copy).toEqual(turn)
  return copy
}

function textOf(turn: Turn, index: number): string | undefined {
  const message = turn.messages[index]
  if (message?.type !== "text") return message?.type
  const { content } = message
  return content.type === "markdown" ? content.markdown : toMarkdown(content.richText)
}

function variableOf(state: State, name: string): unknown {
  const running = state.turn.session.queue[0]
  const variables = [
    ...(state.stage.bots.get(running?.version ?? "")?.flow.variables ?? []),
    ...(running?.adopted ?? []),
  ]
  const id = variables.find((variable) => variable.name === name)?.id
  return running?.values.find(([key]) => key === id)?.[1]
}
