/** Wraps a runtime and context of QuickJS in the few operations that a script needs. */
import {
  isFail,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core"
import type { Machine } from "./machine.ts"

/** The time left for the scripts of a job to compute; it only runs inside `during`. */
export type Clock = {
  during<T>(work: () => T): T
  isOver(): boolean
}

/** The exception of code instead of a value. */
export type Thrown = { thrown: QuickJSHandle }

/** Takes the place of a text that is too large to copy. */
type TooLarge = { isTooLarge: true }

/**
 * A context. Handles are never disposed: after each script the memory of the machine is restored, and
 * everything that was made since is gone.
 */
export type Realm = {
  context: QuickJSContext
  /** Sets the clock that interrupts code. */
  useClock(clock: Clock): void
  evaluate(code: string, name: string): QuickJSHandle | Thrown
  call(called: QuickJSHandle, ...values: QuickJSHandle[]): QuickJSHandle | Thrown
  /** The JSON of a value; undefined if it has none. Changes of `JSON` by the script have no effect. */
  print(value: QuickJSHandle, maxCharacters: number): string | undefined | TooLarge | Thrown
  /** Defines the members of a JSON object as global variables. */
  addGlobals(json: string): QuickJSHandle | Thrown
  /** Runs pending promise jobs until none are left or the time is over. */
  settle(clock: Clock): void
}

/** Whether code threw. */
export function hasThrown(result: object | string | undefined): result is Thrown {
  return typeof result === "object" && "thrown" in result
}

/** Creates a realm; throws if the machine is out of memory. */
export function createRealm({ quickJs }: Machine): Realm {
  const runtime = quickJs.newRuntime()
  const context = runtime.newContext()
  // There is no thread to share memory with, and QuickJS does not clear memory that is shared.
  for (const name of ["SharedArrayBuffer", "Atomics"]) context.evalCode(`delete globalThis.${name}`)
  let clock: Clock | undefined
  runtime.setInterruptHandler(() => clock?.isOver() ?? false)
  const received = (result: ReturnType<QuickJSContext["callFunction"]>) =>
    isFail(result) ? { thrown: result.error } : result.value
  const builtIn = (object: string, name: string) =>
    context.getProp(context.getProp(context.global, object), name)
  // Taken before the script can replace them.
  const stringify = builtIn("JSON", "stringify")
  const parse = builtIn("JSON", "parse")
  const assign = builtIn("Object", "assign")

  const call: Realm["call"] = (called, ...values) =>
    received(context.callFunction(called, context.undefined, values))
  return {
    context,
    useClock: (next) => {
      clock = next
    },
    // Without `type`, code with `import` or `export` would be taken for a module.
    evaluate: (code, name) => received(context.evalCode(code, name, { type: "global" })),
    call,
    print: printer(context, stringify),
    addGlobals: (json) => {
      const values = call(parse, context.newString(json))
      return hasThrown(values) ? values : call(assign, context.global, values)
    },
    settle: (until) => settle(runtime, until),
  }
}

function printer(context: QuickJSContext, stringify: QuickJSHandle): Realm["print"] {
  return (value, maxCharacters) => {
    const type = context.typeof(value)
    if (type === "bigint") return JSON.stringify(context.getString(value))
    // A string, because otherwise a variable would keep its previous value.
    if (type === "number" && !Number.isFinite(context.getNumber(value))) return '"null"'
    const result = context.callFunction(stringify, context.undefined, value)
    if (isFail(result)) return { thrown: result.error }
    return result.value.consume((text) => {
      if (context.typeof(text) !== "string") return undefined
      const isTooLarge = lengthOf(context, text) > maxCharacters
      return isTooLarge ? { isTooLarge } : context.getString(text)
    })
  }
}

/** The length of a string in UTF-16 code units. */
export function lengthOf(context: QuickJSContext, text: QuickJSHandle): number {
  return context.getProp(text, "length").consume((length) => context.getNumber(length))
}

function settle(runtime: QuickJSRuntime, clock: Clock): void {
  // In batches, because promises that create promises might never end.
  while (runtime.hasPendingJob() && !clock.isOver()) {
    const result = runtime.executePendingJobs(1000)
    if (isFail(result)) result.error.dispose()
    else result.dispose()
  }
}
