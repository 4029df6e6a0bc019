/** Describes the steps to a finding in a few lines. */
import { cut } from "../../lib/cut.ts"
import type { TestFile, TestStep } from "../files/testFileSchema.ts"

const maxSteps = 12

/** The conversation of a test, its failures and dice, a line each. */
export function describeSteps({
  conversation = [],
  start,
  dice,
  http,
  calls,
}: Omit<TestFile, "bot">): string[] {
  const listed = conversation.slice(0, maxSteps).map(wordsOf)
  const more = conversation.length - listed.length
  const all = more > 0 ? [...listed, `${more} more`] : listed
  const variables = Object.entries(start?.variables ?? {})
  const given = variables.length === 0 ? "" : ` with ${cut(JSON.stringify(start?.variables))}`
  const failed = [...(http ?? []), ...(calls ?? [])].flatMap(({ answer }) =>
    "fail" in answer
      ? "fails"
      : "status" in answer && answer.status >= 400
        ? `answers ${answer.status}`
        : [],
  )
  return [
    `Start${given}${all.length > 0 ? `, then ${all.join(", ")}` : ""}.`,
    ...(failed[0] === undefined ? [] : [`Another system ${failed[0]}.`]),
    ...(dice?.some((each) => each > 0)
      ? [`The dice show ${dice.slice(0, maxSteps).join(", ")}.`]
      : []),
  ]
}

function wordsOf({ user, silence, webhook, client }: TestStep): string {
  if (silence !== undefined) return `${silence} seconds of silence`
  if (webhook !== undefined) return `a webhook call with ${cut(JSON.stringify(webhook))}`
  if (client !== undefined) return `the client reports ${JSON.stringify(cut(client))}`
  if (typeof user === "string") return JSON.stringify(cut(user))
  if (user?.command !== undefined) return `the command ${JSON.stringify(cut(user.command))}`
  return user?.audio === undefined ? "words with a file" : "a voice clip"
}
