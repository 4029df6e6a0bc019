/** Runs a command of the command line within a test. */
import { runCommand } from "citty"
import { vi } from "vitest"

/** What a command wrote, and the code it ended with. */
export type Ended = { out: string; err: string; code: number }

/** Runs a command in this process with the words of its line, and catches what it writes. */
export async function run(command: object, ...rawArgs: string[]): Promise<Ended> {
  process.exitCode = undefined
  const written = { out: "", err: "" }
  const catching = (name: "out" | "err") => (text: unknown) => {
    written[name] += text instanceof Uint8Array ? Buffer.from(text).toString() : String(text)
    return true
  }
  const out = vi.spyOn(process.stdout, "write").mockImplementation(catching("out"))
  const err = vi.spyOn(process.stderr, "write").mockImplementation(catching("err"))
  try {
    await runCommand(command, { rawArgs })
    return { ...written, code: Number(process.exitCode ?? 0) }
  } finally {
    out.mockRestore()
    err.mockRestore()
    process.exitCode = undefined
  }
}
