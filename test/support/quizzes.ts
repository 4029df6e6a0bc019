/** Scored quizzes, with something wrong behind a score. */
import type { Flow } from "../../src/engine/bot.ts"
import { ask, bot, group, say, set, when } from "./bots.ts"

/** What is wrong behind the score, by the rule that finds it. */
export type Behind = "loop-without-input" | "dead-end" | "reply-refused"

/** How the score is made: counted with each answer, or of all answers in the end. */
export type Scoring = "counted" | "summed"

export type QuizParts = { scoring: Scoring; behind?: Behind | undefined }

/**
 * A quiz of three answers for each question, of which one is worth most: another one each time. The group
 * behind a score of about two thirds has a fault, or none.
 */
export function quiz(questions: number, { scoring, behind }: QuizParts): Flow {
  const numbers = Array.from({ length: questions }, (_, index) => index + 1)
  const most = questions * 2
  const least = Math.round((most * 5) / 6)
  const asked = numbers.map((number) => {
    const points = [0, 1, 2].map((index) => (index + number) % 3)
    const items = points.map((value, index) => ({
      content: `${"ABC"[index]} of ${number}`,
      value: String(value),
    }))
    const question = ask.choice(items, { saves: `Q${number}` })
    const adds = set("Score", `{{Score}} + {{Q${number}}}`)
    return group(
      `Question ${number}`,
      say(`Question ${number}?`),
      question,
      ...(scoring === "counted" ? [adds] : []),
      say("Next", { to: number === questions ? "Result" : `Question ${number + 1}` }),
    )
  })
  const sum = numbers.map((number) => `{{Q${number}}}`).join(" + ")
  return bot(
    { variables: { Score: "0" } },
    ...asked,
    group(
      "Result",
      ...(scoring === "summed" ? [set("Score", sum)] : []),
      when([["Score", "Greater or equal to", String(least)]], { to: "Best", otherwise: "Good" }),
    ),
    group("Good", say("Good: {{Score}}")),
    bests(behind),
    group("Sure", say("Best: {{Score}}")),
  )
}

function bests(behind: Behind | undefined) {
  const sure = ask.choice([
    { content: "Yes", to: "Sure" },
    { content: "No", ...(behind === "dead-end" ? {} : { to: "Good" }) },
  ])
  if (behind === "loop-without-input") return group("Best", say("Round", { to: "Best" }))
  const refused = set("Now", "", { type: "Now", timeZone: "Nowhere/Land" })
  return group("Best", ...(behind === "reply-refused" ? [refused] : []), say("Sure?"), sure)
}
