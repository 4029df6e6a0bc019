/** The log as a terminal shows it. */
import { expect, test } from "vitest"
import { createLog } from "../telemetry/log.ts"
import { prettyLine, prettyStream } from "./prettyLog.ts"

const plain = (line: object) => prettyLine(`${JSON.stringify(line)}\n`, { hasColour: false })

test("a line says when, how bad, what, and the facts", () => {
  const line = {
    level: "warn",
    time: "2026-01-02T03:04:05.678Z",
    job: "purge",
    rows: 3,
    msg: "Done",
  }
  expect(plain(line)).toBe("03:04:05 WARN  Done job=purge rows=3\n")
})

test("the stack of an error follows, without what could command a terminal", () => {
  const cause = { type: "TypeError", message: "Odd" }
  const err = { type: "Error", message: "No", stack: "Error: No\u001b[2J\n    at here", cause }
  expect(plain({ level: "error", time: "", msg: "Failed\u001b]0;x\u0007", err })).toBe(
    " ERROR Failed\\u001b]0;x\\u0007\n  Error: No\\u001b[2J\n      at here\n  Because of TypeError: Odd\n",
  )
})

test("nothing of a line turns text around, wherever it stands", () => {
  const hostile = "a\u202e\u009b"
  const line = { level: hostile, time: hostile, [hostile]: hostile, msg: hostile }
  expect(plain(line)).not.toMatch(/[\u202e\u009b]/)
  expect(prettyLine(`no JSON ${hostile}\n`, { hasColour: false })).toBe("no JSON a\\u202e\\u009b\n")
})

test("colours come only where they are wanted", () => {
  const json = JSON.stringify({ level: "info", msg: "Up" })
  expect(prettyLine(json, { hasColour: true })).toContain("\u001b[")
  expect(prettyLine(json, { hasColour: false })).not.toContain("\u001b[")
  expect(prettyLine("no JSON\n", { hasColour: true })).toBe("no JSON\n")
})

test("a log writes through it", () => {
  const lines: string[] = []
  const stream = prettyStream({ write: (line) => lines.push(line) }, { hasColour: false })
  createLog("info", stream).info({ a: 1 }, "Up")
  expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d INFO {2}Up a=1\n$/)])
})
