/** The world of engine tests: a fixed clock, counted ids, and scripts run by Node itself. */
import vm from "node:vm"
import type { Call, Outcome, Script, ScriptOutcome } from "../../src/engine/calls.ts"
import type { EngineDeps } from "../../src/engine/turn/run.ts"
import { maxMs } from "./patience.ts"

/** 2026-11-20T10:00:00.000Z. */
export const testNow = Date.UTC(2026, 10, 20, 10)

/** A world that gives the same every time. */
export function testWorld(random = 0.5): EngineDeps["world"] {
  let ids = 0
  let results = 0
  return {
    now: () => testNow,
    random: () => random,
    newId: () => `new${++ids}`,
    newResultId: () => `0199aaaa-0000-7000-8000-${String(++results).padStart(12, "0")}`,
  }
}

/** Answers a script call the way the sandbox does, without its limits. */
export function runScripts(call: Call<"script">): Outcome<"script"> {
  return { results: call.scripts.map(runScript) }
}

function runScript({ code, globals, mode }: Script): ScriptOutcome {
  const assigned: Record<string, unknown> = {}
  const setVariable = (name: string, value: unknown) => {
    assigned[name] = value
  }
  const helpers = mode === "program" ? { setVariable } : {}
  try {
    const context = vm.createContext({ ...globals, ...helpers })
    // For what hangs: a busy machine takes its time.
    const limits = { timeout: maxMs }
    const value: unknown = vm.runInContext(`(function () {${code}\n})()`, context, limits)
    return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)), assigned }
  } catch (error) {
    return { failed: true, description: String(error) }
  }
}
