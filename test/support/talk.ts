/** A conversation as a test: what the bot says and asks, what the user replies. */
import { expect } from "vitest"
import { type Flow, prepareBot } from "../../src/engine/bot.ts"
import type { Call, CallKind, Outcome } from "../../src/engine/calls.ts"
import { type Limits, liveLimits } from "../../src/engine/limits.ts"
import type { ResultRecord } from "../../src/engine/records.ts"
import { toMarkdown } from "../../src/engine/richText/toMarkdown.ts"
import type { Stage, Turn } from "../../src/engine/run.ts"
import type { Message } from "../../src/engine/schema/message.ts"
import { type Opening, openSession, readSession, writeSession } from "../../src/engine/session.ts"
import { isOver } from "../../src/engine/settle.ts"
import { register, reply, resume, type StartRequest, start } from "../../src/engine/turn.ts"
import { runScripts, testWorld } from "./outside.ts"

/** How a conversation begins. */
export type TalkParts = Partial<Omit<Opening, "bot">> &
  StartRequest & {
    /** Flows by bot id that links may enter. */
    linked?: Record<string, Flow>
    random?: number
    limits?: Limits
    /** Opens the chat without starting it. */
    isOnlyRegistering?: boolean
    /** Answers calls by kind; scripts are run by themselves. */
    answers?: { [K in CallKind]?: (call: Call<K>) => Outcome<K> }
    now?: () => number
  }

const rootResultId = "0199aaaa-0000-7000-8000-00000000aaaa"

/** Starts a conversation with a bot. */
export function talk(flow: Flow, parts: TalkParts = {}) {
  const bots = new Map([["root", prepareBot(flow, "root", "rootBot")]])
  for (const [id, linked] of Object.entries(parts.linked ?? {})) {
    bots.set(`version of ${id}`, prepareBot(linked, `version of ${id}`, id))
  }
  const world = testWorld(parts.random)
  const stage: Stage = {
    world: { ...world, now: parts.now ?? world.now },
    bots,
    limits: parts.limits ?? liveLimits,
  }
  const bot = bots.get("root")
  if (!bot) throw new Error("no bot")
  const isPreview = parts.isPreview ?? false
  const session = openSession({
    isStreamEnabled: false,
    isProgressShown: flow.theme.general?.progressBar?.isEnabled ?? false,
    ...(isPreview ? {} : { resultId: rootResultId }),
    ...parts,
    isPreview,
    bot,
  })
  const turn = parts.isOnlyRegistering ? register(stage, session) : start(stage, session, parts)
  return conversation({ stage, parts, turn, results: [] })
}

type State = { stage: Stage; parts: TalkParts; turn: Turn; results: ResultRecord[] }

function conversation(state: State) {
  const seen = { message: 0, action: 0 }
  const settle = (turn: Turn) => {
    let next = survive(turn)
    while (next.call) {
      const { call } = next
      const outcome = answerOf(state, call)
      if (outcome === undefined) break
      next = survive(resume(state.stage, next, outcome))
    }
    state.turn = next
    if (!next.call) state.results.push(...next.results)
    seen.message = 0
    seen.action = 0
  }
  settle(state.turn)
  const talk = {
    /** The present turn. */
    get turn() {
      return state.turn
    },
    /** Everything recorded so far, oldest first. */
    get results() {
      return state.results
    },
    /** The next message is this text (as Markdown). */
    bot(text: string) {
      expect(textOf(state.turn, seen.message)).toBe(text)
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
    /** The user, or the client, sends this. */
    user(message?: string | Message) {
      const sent =
        typeof message === "string" ? ({ type: "text", text: message } as const) : message
      settle(reply(state.stage, readSession(writeSession(state.turn.session)), sent))
      return talk
    },
    /** A call of that kind is pending with these members. */
    calls<K extends CallKind>(kind: K, call: object = {}) {
      expect(state.turn.call).toMatchObject({ kind, ...call })
      return talk
    },
    /** The world answers the pending call. */
    gets(outcome: Outcome) {
      settle(resume(state.stage, state.turn, outcome))
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
    /** Anything about the turn. */
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

function answerOf(state: State, call: Call): Outcome | undefined {
  const own = state.parts.answers?.[call.kind] as ((call: Call) => Outcome) | undefined
  if (own) return own(call)
  if (call.kind === "script") return runScripts(call)
  if (call.kind === "bot") {
    const version = `version of ${call.botId}`
    if (state.stage.bots.get(version)) return { version }
    return { failed: true, description: `No bot ${call.botId}` }
  }
  if (call.kind === "history") {
    const own = state.results.filter((record) => record.resultId === call.resultId)
    return {
      answers: own.flatMap((record) => record.answers),
      edges: own.flatMap((record) => record.edges),
      changes: own.flatMap((record) => record.changes),
    }
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
