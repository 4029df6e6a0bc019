/** Drafts in memory are bounded for all edits. */
import { expect, test } from "vitest"
import type { LockedBot } from "../../db/bots/withLockedBot.ts"
import { createDraftMemory, type KnownDraft } from "./draftMemory.ts"

const revision = 1
const updatedAt = new Date()

/** Only what is looked at. */
const stored = (id: string) => ({ id, revision, updatedAt }) as LockedBot
const known = (megabytes: number) =>
  ({ revision, updatedAt, size: { json: 0, memory: megabytes * 1024 * 1024 } }) as KnownDraft

test("the last edited drafts are remembered, up to 32 MB together", () => {
  const drafts = createDraftMemory()
  const first = known(15)
  drafts.remember("first", first)
  drafts.remember("second", known(15))
  expect(drafts.recall(stored("first"))).toBe(first)
  drafts.remember("third", known(15))
  expect(drafts.recall(stored("second"))).toBeUndefined()
  expect(drafts.recall(stored("first"))).toBe(first)
  drafts.remember("too large", known(33))
  expect(drafts.recall(stored("too large"))).toBeUndefined()
})

test("a draft changed elsewhere is not remembered", () => {
  const drafts = createDraftMemory()
  drafts.remember("one", known(1))
  expect(drafts.recall({ ...stored("one"), revision: 2 })).toBeUndefined()
  expect(drafts.recall({ ...stored("one"), updatedAt: new Date(0) })).toBeUndefined()
})
