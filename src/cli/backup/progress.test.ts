/** A backup says how far it has come, also within what takes long. */
import { expect, test } from "vitest"
import { openProgress } from "./progress.ts"

const megabyte = "x".repeat(1024 * 1024)

function progress() {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  return { lines, count: openProgress("Saved", { say, stepBytes: 4 * megabyte.length }) }
}

test("within a large table, after so many bytes, with the rows so far", () => {
  const { lines, count } = progress()
  count({ table: "answers", columns: [] })
  for (let piece = 0; piece < 5; piece++) count({ rows: [[megabyte, null, megabyte], ["x"]] })
  count({ table: "bots", columns: [] })
  count({ rows: [[megabyte, megabyte, megabyte]] })
  count.finish()
  expect(lines).toEqual([
    "Saved answers: 4 so far, 4 MB",
    "Saved answers: 8 so far, 8 MB",
    "Saved answers: 10",
    "Saved bots: 1",
  ])
})

test("within the files, of which one may be large", () => {
  const { lines, count } = progress()
  for (let piece = 0; piece < 6; piece++) count({ file: "a", bytes: megabyte })
  count({ file: "b", bytes: "" })
  count.finish()
  expect(lines).toEqual(["Saved files: 1 so far, 4 MB", "Saved files: 2"])
})
