/** Updates a test file to the bot's actual messages. */

import {
  hasMistakes,
  type Position,
  type ReadTestFile,
  readTestFile,
} from "../files/readTestFile.ts"
import type { ConversationTest } from "../files/testFileSchema.ts"
import { describeStep } from "../satisfies.ts"
import type { TestParts } from "../testConversation.ts"
import { mendTest, type StepEdit } from "./mendTest.ts"
import { type ConversationEdits, rewriteSteps } from "./rewriteSteps.ts"

/** A changed step, at its former position. */
export type StepChange = Position & { before?: string | undefined; after?: string | undefined }

export type FileUpdate = {
  path: string
  /** The new text of the file; absent: unchanged. */
  text?: string | undefined
  changes: StepChange[]
  /** Why some tests, or all, stay unchanged. */
  problems: (Position & { message: string })[]
}

/** A playable test file. */
export type FileParts = {
  path: string
  read: ReadTestFile
  tests: readonly ConversationTest[]
  played: TestParts
}

/** Plays the tests of a file, and writes the bot's messages into its text. */
export async function updateFile(file: FileParts): Promise<FileUpdate> {
  const { path, read, tests, played } = file
  const update: FileUpdate = { path, changes: [], problems: [] }
  const conversations: ConversationEdits[] = []
  for (const test of tests) {
    const edits = await mendTest(test, played)
    const start = read.positionOf(test.path)
    if (typeof edits === "string") {
      update.problems.push({ ...start, message: edits })
      continue
    }
    conversations.push({ path: test.path, edits })
    update.changes.push(...edits.map((edit) => changeOf(edit, test, read)))
  }
  if (update.changes.length === 0) return update
  const written = rewriteSteps(read.text, conversations)
  if (written !== undefined && isSound(written, path)) return { ...update, text: written }
  const message = "It is written in a way that cannot be updated line by line: change it by hand"
  return { ...update, changes: [], problems: [{ line: 1, column: 1, message }] }
}

function changeOf(edit: StepEdit, test: ConversationTest, read: ReadTestFile): StepChange {
  const step = test.steps[edit.at]
  const place = read.positionOf([...test.path, Math.min(edit.at, test.steps.length - 1)])
  return {
    ...place,
    ...(edit.kind !== "insert" && step && { before: describeStep(step) }),
    ...(edit.kind !== "remove" && { after: describeStep(edit.step) }),
  }
}

function isSound(text: string, path: string): boolean {
  if (hasMistakes(readTestFile(text))) return false
  try {
    return !path.endsWith(".json") || JSON.parse(text) !== undefined
  } catch {
    return false
  }
}
