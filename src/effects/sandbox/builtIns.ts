/** Provides scripts with `Math.random`, `console`, `setVariable` and `fetch`. */
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core"
import { hasThrown, lengthOf, type Realm, type Thrown } from "./realm.ts"
import type { Ask } from "./sandboxMessages.ts"

/** Assignments of a program: JSON by name. */
export type Assigned = Map<string, string>

/**
 * Prepares a silent `console` and `setVariable`. The returned function gives them to a program, which may
 * assign up to `maxCharacters` of JSON.
 */
export function prepareBuiltIns(realm: Realm): (maxCharacters: number) => Assigned {
  const { context } = realm
  let assigned: Assigned = new Map()
  let leftCharacters = 0
  const setVariable = context.newFunction("setVariable", (name, value) => {
    const text = realm.print(value ?? context.undefined, leftCharacters)
    if (hasThrown(text)) return { error: text.thrown.dup() }
    const key = nameOf(context, name)
    if (key === undefined || typeof text === "object") throw new Error("Too much to set")
    const json = text ?? "null"
    leftCharacters -= key.length + json.length
    assigned.set(key, json)
    return context.undefined
  })
  const silence = context.newFunction("log", () => context.undefined)
  const console = context.newObject()
  for (const level of ["log", "info", "warn", "error", "debug"]) {
    context.setProp(console, level, silence)
  }
  return (maxCharacters) => {
    assigned = new Map()
    leftCharacters = maxCharacters
    context.setProp(context.global, "setVariable", setVariable)
    context.setProp(context.global, "console", console)
    return assigned
  }
}

/**
 * Replaces `Math.random`: its own state would be reset with the memory, and the state of Node's can be
 * computed from what it returned, so that one script could predict the numbers of another.
 */
export function addRandom({ context, evaluate, call }: Realm): void {
  const draw = context.newFunction("draw", () => context.newString(JSON.stringify(drawNumbers())))
  const install = evaluate(randomSource, "random.js")
  if (!hasThrown(install)) call(install, draw)
}

/** A hundred numbers from 0 up to 1, of 53 bits as those of `Math.random`. */
function drawNumbers(): number[] {
  const bits = crypto.getRandomValues(new Uint32Array(200))
  return Array.from({ length: 100 }, (_, index) => {
    const high = (bits[2 * index] ?? 0) >>> 5
    const low = (bits[2 * index + 1] ?? 0) >>> 6
    return (high * 2 ** 26 + low) / 2 ** 53
  })
}

const randomSource = `(function (draw) {
  const { parse } = JSON
  let numbers = []
  let next = 0
  const random = () => {
    if (next === numbers.length) [numbers, next] = [parse(draw()), 0]
    return numbers[next++]
  }
  Object.defineProperty(Math, "random", { value: random })
})`

function nameOf(context: QuickJSContext, name: QuickJSHandle | undefined): string | undefined {
  if (!name || context.typeof(name) !== "string") return ""
  return lengthOf(context, name) > 1000 ? undefined : context.getString(name)
}

/** The side of `fetch` outside the machine. */
export type FetchSide = {
  /** Takes the requests since the last call. */
  takeAsks(): Ask[]
  answer(id: number, isRefused: boolean, text: string): void
}

/** Adds `fetch`; its requests get higher ids than `lastAsk`. */
export function addFetch(realm: Realm, lastAsk: number): FetchSide | Thrown {
  const { context } = realm
  const side = realm.evaluate(fetchSource, "fetch.js")
  if (hasThrown(side)) return side
  const member = (name: string) => context.getProp(side, name)
  const takeAsks = member("takeAsks")
  const answer = member("answer")
  const begun = realm.call(member("begin"), context.newNumber(lastAsk))
  if (hasThrown(begun)) return begun
  return {
    takeAsks: () => {
      const taken = realm.call(takeAsks)
      if (hasThrown(taken)) return []
      const text = realm.print(taken, maxAskCharacters)
      // The script can make the machine return anything.
      const asks: unknown = typeof text === "string" ? JSON.parse(text) : []
      return Array.isArray(asks) ? asks.slice(0, 100).filter(isAsk) : []
    },
    answer: (id, isRefused, text) => {
      const isError = isRefused ? context.true : context.false
      realm.call(answer, context.newNumber(id), isError, context.newString(text))
    },
  }
}

const maxAskCharacters = 8_000_000

function isAsk(ask: unknown): ask is Ask {
  if (typeof ask !== "object" || ask === null) return false
  const { id, request } = ask as Record<string, unknown>
  return typeof id === "number" && typeof request === "string"
}

const fetchSource = `(function () {
  const { parse, stringify } = JSON
  const waiting = new Map()
  let asks = []
  let lastAsk
  let mayAsk = 100
  globalThis.fetch = (url, init) =>
    new Promise((resolve, reject) => {
      const { method, headers, body } = init ?? {}
      const isList = typeof headers?.[Symbol.iterator] === "function"
      const pairs = isList ? [...headers] : Object.entries(headers ?? {})
      const request = stringify({
        url: String(url),
        method: method === undefined ? undefined : String(method),
        headers: pairs.map(([name, value]) => [String(name), String(value)]),
        body: body === undefined || body === null ? undefined : String(body)
      })
      if (mayAsk-- <= 0) throw new Error("Too many requests")
      if (request.length > 1000000) throw new Error("The request is too large")
      const id = ++lastAsk
      asks.push({ id, request })
      waiting.set(id, { resolve, reject })
    })
  return {
    begin: (last) => { lastAsk = last },
    takeAsks: () => {
      const taken = asks
      asks = []
      return taken
    },
    answer: (id, isRefused, text) => {
      const promise = waiting.get(id)
      waiting.delete(id)
      if (isRefused) promise.reject(new Error(parse(text)))
      else promise.resolve(parse(text))
    }
  }
})()`
