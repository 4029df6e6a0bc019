/** Whatever changes a draft counts its revision: edits that were made on the former one are told so. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const source = new URL("../../src/", import.meta.url)

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(new URL(path, source), "utf8") }))

/** Columns of a bot that edits cannot change, and in which nothing of its draft is. */
const besideDraft = new Set([
  ...["folderId", "isArchived", "isInBin", "archivedAt"],
  ...["riskLevel", "riskLevelBy", "riskFound", "closedReason"],
])

/** What sets columns of bots, each up to its end. */
const changes = files.flatMap(({ path, text }) =>
  [...text.matchAll(/updateTable\("bots"\)[\s\S]*?\.execute\w*\(/g)].map(([change]) => ({
    path,
    change,
  })),
)

/** Whether a change counts, or sets nothing but columns that are named here and no part of drafts. */
function counts(change: string): boolean {
  if (/\brevision: nextRevision\b/.test(change)) return true
  const [, set = "..."] = /\.set\(\{([\s\S]*?)\}\)/.exec(change) ?? []
  const names = set.split(",").map((each) => each.trim().split(":")[0] ?? "")
  return names.every((name) => name === "" || besideDraft.has(name))
}

test("every statement that changes a draft counts its revision", () => {
  expect(changes.length).toBeGreaterThan(2)
  expect(changes.filter(({ change }) => !counts(change))).toEqual([])
})

test("no other statement changes a bot", () => {
  const raw = /\b(?:update|merge into)\s+(?:only\s+)?"?bots\b/i
  expect(files.filter(({ text }) => raw.test(text)).map(({ path }) => path)).toEqual([])
})

test("a change that does not count is found", () => {
  const change = (columns: string) =>
    `updateTable("bots")\n.set({ ${columns} })\n.where("id", "=", id)\n.execute(`
  expect(counts(change("name, revision: nextRevision"))).toBe(true)
  expect(counts(change("folderId: null"))).toBe(true)
  expect(counts(change("folderId, name"))).toBe(false)
  expect(counts(change("...columns"))).toBe(false)
})
