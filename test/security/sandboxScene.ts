/** Opens a sandbox for a test file, and builds scripts the way authors write them. */
import {
  openSandbox,
  type RunOptions,
  type SandboxOptions,
} from "../../src/effects/sandbox/sandbox.ts"
import { isFailure, type Script, type ScriptOutcome } from "../../src/engine/calls.ts"
import { whenOver } from "../support/whenOver.ts"

/** A program, as in a Script block. */
export function script(code: string, globals: Script["globals"] = {}): Script {
  return { code, globals, mode: "program" }
}

/** An expression, as in a Set variable block. */
export function expression(code: string, globals: Script["globals"] = {}): Script {
  return { code: `return ${code}`, globals, mode: "expression" }
}

/**
 * Opens a sandbox that is closed after the test file; `failureOf` returns the description of a failure.
 * Scripts have more time than usual, because the machine may be busy with other work.
 */
export function sandboxScene(options: SandboxOptions = {}) {
  const sandbox = openSandbox({ runMs: 60_000, maxWaitMs: 60_000, ...options })
  whenOver(() => sandbox.close())
  const run = async (one: Script, how?: RunOptions): Promise<ScriptOutcome> => {
    const [outcome] = await sandbox.run([one], how)
    if (!outcome) throw new Error("No outcome")
    return outcome
  }
  const failureOf = async (one: Script, how?: RunOptions): Promise<string> => {
    const outcome = await run(one, how)
    return isFailure(outcome) ? outcome.description : `no failure: ${JSON.stringify(outcome)}`
  }
  return { sandbox, run, failureOf }
}
