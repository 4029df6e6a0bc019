/** Scripts that mean harm, and how one is run. */
import type { Sandbox } from "../../src/effects/sandbox/sandbox.ts"
import type { Script } from "../../src/engine/calls.ts"

/** What they do, by name; only ending its thread interrupts the last one. */
export const hostileScripts = {
  "endless loop": "while (true) {}",
  "memory bomb": "const a = []; while (true) a.push(new Array(10000).fill(a.length))",
  "promise bomb":
    "const f = async () => { await null; await Promise.all([f(), f(), f()]) }; await f()",
  "loop of microtasks": "const f = () => Promise.resolve().then(f); await f()",
  "native loop": "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
} as const

/** A script that a bot's author could have written. */
const programOf = (code: string): Script => ({ code, globals: {}, mode: "program" })

/** Runs a hostile script for a time, and then an honest one, which may need a new thread. */
export async function runHostile(sandbox: Sandbox, code: string, runMs: number): Promise<void> {
  const [outcome] = await sandbox.run([programOf(code)], { runMs })
  if (!outcome || !("failed" in outcome)) throw new Error("A hostile script came to an end")
  await sandbox.run([programOf("return 1")])
}
