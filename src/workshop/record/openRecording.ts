/** Records a conversation with a bot as a test that replays it. */

import type { ScriptFetch } from "../../effects/sandbox/sandbox.ts"
import { unmetered } from "../../engine/budget/fuel.ts"
import type { Message } from "../../engine/schema/message.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { isTooDeep } from "../../lib/foreignJson.ts"
import { answersIn, valuesByName } from "../expectations.ts"
import {
  type CallStub,
  callStubSchema,
  type HttpStub,
  type HttpWhen,
  httpStubSchema,
  httpWhenSchema,
  stepSchema,
  type TestFile,
  type TestStep,
} from "../files/testFileSchema.ts"
import { heardIn } from "../play/heard.ts"
import { type PlainRequest, plainRequest, scriptRequest } from "../play/plainRequest.ts"
import { awaitsClient, createPlay, maxReports, type OutsideCall } from "../play/play.ts"
import { sent } from "../play/send.ts"
import { createOutside } from "../play/stubs.ts"
import type { TestParts } from "../testConversation.ts"
import { stepOf } from "./stepOf.ts"

/** A call of the bot for the person to answer. */
export type Asked = { kind: "http"; request: PlainRequest } | Exclude<OutsideCall, { kind: "http" }>

/** The answer of a stub; its form depends on the kind of call. */
export type Answered = HttpStub["answer"] | CallStub["answer"]

export type RecordingParts = TestParts & {
  /** Milliseconds since 1970. */
  clock: number
  seed: number
  /** Prefilled variables by name. */
  variables?: Record<string, string> | undefined
  /** Answers calls for the outside, one after the other. */
  answer(asked: Asked): Promise<Answered>
}

/** A conversation being recorded. */
export type Recording = {
  /** The last recorded turn. */
  turn(): Turn | undefined
  /**
   * Sends a message of the person, or undefined for the start. Returns the turns up to the next question;
   * none: the record is full, without the message. An `AppError` also leaves the record unchanged.
   */
  say(message: Message | undefined): Promise<Turn[]>
  /** Performs the awaited call of another system. */
  receive(body: NonNullable<TestStep["webhook"]>): Promise<Turn[]>
  /** The test so far, without the name of its bot. */
  test(): RecordedTest
}

export type RecordedTest = Omit<TestFile, "bot" | "conversation" | "tests"> & {
  conversation: TestStep[]
}

/** One message and all turns up to the next question, recorded as a whole or not at all. */
type Exchange = {
  steps: TestStep[]
  http: HttpStub[]
  calls: CallStub[]
  requests: HttpWhen[]
  answers: string[]
  turns: Turn[]
  /** Characters of steps and stubs. */
  length: number
}

/** Limits far below those of the reader of test files; lengths in characters of JSON. */
const most = { steps: 9_000, turns: 500, stubs: 1_000, length: 700_000, expected: 50_000 }

/** Longer bodies of requests are not compared. */
const maxBodyCharacters = 10_000

export function openRecording(parts: RecordingParts): Recording {
  const { clock, seed, variables = {} } = parts
  const done = emptyExchange()
  let last: Turn | undefined
  let current = emptyExchange()
  const ask = inTurn(parts.answer)
  const answerRequest = async (request: PlainRequest) => {
    const answer = await ask({ kind: "http", request })
    const when = whenOf(request)
    // Parsed, as from the file.
    const stub = httpStubSchema.parse({ when, answer, times: 1 })
    current.http.push(stub)
    current.length += lengthOf(stub)
    current.requests.push({ ...when, ...bodyOf(request) })
    return createOutside({ http: [stub] })
  }
  const fetch: ScriptFetch = async (asked) =>
    await (await answerRequest(scriptRequest(asked))).fetch(asked, unmetered())
  const play = createPlay({
    ...parts,
    fetch,
    outside: async (call) => {
      if (call.kind === "http")
        return (await answerRequest(plainRequest(call))).answer(call, unmetered())
      const stub = callStubSchema.parse({ call: call.kind, answer: await ask(call), times: 1 })
      current.calls.push(stub)
      current.length += lengthOf(stub)
      return createOutside({ calls: [stub] }).answer(call, unmetered())
    },
  })

  /** Records the outputs of a turn; returns whether it has any. Throws refusals. */
  const note = (turn: Turn): boolean => {
    current.turns.push(turn)
    current.answers.push(...answersIn(turn))
    const steps = heardIn(turn, play.bots).flatMap((heard) => stepOf(heard) ?? [])
    current.steps.push(...steps)
    current.length += lengthOf(steps)
    return steps.length > 0
  }

  const exchange = async (begin: () => Promise<Turn>, opening: TestStep[]): Promise<Turn[]> => {
    current = { ...emptyExchange(), steps: opening, length: lengthOf(opening) }
    let turn = await begin()
    note(turn)
    // Some bots send messages endlessly.
    const mayGoOn = () => awaitsClient(turn) && !isTooMuch(done, current)
    for (let reports = 0; reports < maxReports && mayGoOn(); reports++) {
      turn = await play.reply(turn.session, undefined)
      if (note(turn)) reports = -1
    }
    if (isTooMuch(done, current)) return []
    for (const key of lists) (done[key] as unknown[]).push(...current[key])
    done.length += current.length
    last = turn
    return current.turns
  }

  return {
    turn: () => last,
    say: async (message) => {
      const before = last
      if (!before) return await exchange(() => play.start({ variables }), [])
      const step = message === undefined ? [] : [{ user: sent(message) }]
      if (step.some((each) => !stepSchema.safeParse(each).success)) return []
      return await exchange(() => play.reply(before.session, message), step)
    },
    receive: async (webhook) => {
      const { session } = last ?? {}
      const step = stepSchema.parse({ webhook })
      if (!session) return []
      return await exchange(() => play.receive(session, JSON.stringify(step.webhook)), [step])
    },
    test: () => ({
      clock: new Date(clock).toISOString().replace(".000Z", "Z"),
      seed,
      ...(Object.keys(variables).length > 0 && { start: { variables } }),
      ...(done.http.length > 0 && { http: done.http }),
      ...(done.calls.length > 0 && { calls: done.calls }),
      conversation: done.steps,
      ...(last && { expect: expectedOf(done, last, valuesByName(last, play.bots)) }),
    }),
  }
}

const lists = ["steps", "http", "calls", "requests", "answers"] as const

function emptyExchange(): Exchange {
  return { steps: [], http: [], calls: [], requests: [], answers: [], turns: [], length: 0 }
}

/** Scripts make concurrent calls; the person answers them one by one. */
function inTurn<A, B>(work: (asked: A) => Promise<B>): (asked: A) => Promise<B> {
  let before: Promise<unknown> = Promise.resolve()
  return (asked) => {
    const own = before.then(() => work(asked))
    before = own.catch(() => undefined)
    return own
  }
}

function isTooMuch(done: Exchange, current: Exchange): boolean {
  return (
    current.turns.length > most.turns ||
    done.length + current.length > most.length ||
    done.steps.length + current.steps.length > most.steps ||
    done.http.length + current.http.length > most.stubs ||
    done.calls.length + current.calls.length > most.stubs
  )
}

/** A description that fits the request: a star also matches itself. */
function whenOf({ method, url }: PlainRequest): HttpWhen {
  return {
    ...(method.length <= 20 && { method }),
    url: url.length <= 8_192 ? url : `${url.slice(0, 8_000)}*`,
  }
}

/** The expectations at the end, without parts too long to read. */
function expectedOf(
  { answers, requests, calls }: Exchange,
  last: Turn,
  values: ReadonlyMap<string, unknown>,
): TestFile["expect"] {
  const variables = shortest([...values].filter(([name]) => name !== "__proto__"))
  const kinds = calls.map(({ call }) => ({ call }))
  return {
    completed: isOver(last),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) as Values }),
    ...(isShort(answers) && { answers }),
    ...(isShort(requests) && { http: requests }),
    ...(isShort(kinds) && { calls: kinds }),
  }
}

type Values = NonNullable<NonNullable<TestFile["expect"]>["variables"]>

function isShort(list: readonly unknown[]): boolean {
  return list.length > 0 && list.length <= 1_000 && lengthOf(list) <= most.expected
}

/** As many variables as fit, in order. */
function shortest(variables: [string, unknown][]): [string, unknown][] {
  let left = most.expected
  return variables.filter((each) => {
    const length = lengthOf(each)
    if (length > 10_000 || length > left) return false
    left -= length
    return true
  })
}

/** A body as JSON where that can be compared, else as text; long ones are left out. */
function bodyOf({ body, json }: PlainRequest): Pick<HttpWhen, "json" | "body"> {
  if (body === undefined || body.length > maxBodyCharacters) return {}
  const isPlain = json !== undefined && !isTooDeep(body) && lengthOf(json) <= maxBodyCharacters
  const read = isPlain ? httpWhenSchema.safeParse({ json }) : undefined
  return read?.success ? read.data : { body }
}

/** Indented, as in a file. */
function lengthOf(value: unknown): number {
  return JSON.stringify(value, null, 2).length
}
