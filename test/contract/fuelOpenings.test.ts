/** Tests that every place that opens a budget is known, with what bounds the work of one request there. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

/** Why one request cannot open more budgets than it may, by file. */
const openings: Record<string, string> = {
  "authoring/diff/diffFlows.ts":
    "unmetered: measures changes, 16,000,000 characters of which are the most",
  "authoring/lint/rules/blocks.ts": "one for all patterns of a flow",
  "authoring/lint/rules/code.ts": "unmetered: names of variables in code, each text once",
  "bots/edits/editDraft.ts":
    "unmetered: measures what undoes an edit, which is as large as a draft at most",
  "bots/heavy/heavyWork.ts": "one for each input, which is measured once",
  "chat/events/conversationEvents.ts": "unmetered: names of variables, without values",
  "engine/recorded/inputs.ts": "unmetered: names of variables, without values",
  "engine/session.ts": "unmetered: values of a session, of 1,000,000 characters at most",
  "engine/turn/run.ts": "one for each turn of a chat; tests share a budget, replays have an effort",
  "workshop/explore/chances.ts":
    "no request gets here: parley explore runs on the author's machine",
  "workshop/explore/witnesses.ts":
    "one for all conditions of a flow; others are opened by parley explore, on the author's machine",
  "workshop/record/openRecording.ts":
    "no request gets here: parley record runs on the author's machine",
  "workshop/testBudget.ts": "a part of the budget of a request, for each comparison",
  "authoring/types/typesOfBot.ts": "unmetered: names of variables, without values",
  "workshop/update/mendTest.ts":
    "no request gets here: parley test --update runs on the author's machine",
}

const source = new URL("../../src/", import.meta.url).pathname

test("each place that opens a budget says what bounds a request there", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  const opening = files.filter((file) => {
    if (!/\.tsx?$/.test(file) || file.endsWith(".test.ts") || file.endsWith("budget/fuel.ts")) {
      return false
    }
    return /\b(createFuel|unmetered)\(/.test(readFileSync(join(source, file), "utf8"))
  })
  expect(opening.sort()).toEqual(Object.keys(openings).sort())
})

test("no request gets to what only runs on the machines of authors", () => {
  const local = Object.keys(openings).filter((file) => openings[file]?.startsWith("no request"))
  const reached = modulesOf(["routers/app.ts", "mcp", "app/compose.ts"])
  expect(reached.size).toBeGreaterThan(300)
  expect(local.filter((file) => reached.has(file))).toEqual([])
})

/** All modules that some import, directly or not; a folder stands for its files. */
function modulesOf(entries: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const visit = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    const text = readFileSync(join(source, file), "utf8")
    for (const [, path = ""] of text.matchAll(/(?:from|import\(?) ?"(\.[^"]+\.tsx?)"/g)) {
      visit(join(file, "..", path))
    }
  }
  for (const entry of entries) {
    const files = entry.endsWith(".ts")
      ? [entry]
      : readdirSync(join(source, entry), { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
          .map((file) => join(entry, file))
    for (const file of files) visit(file)
  }
  return reached
}
