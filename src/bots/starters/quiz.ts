/** A bot with questions, points and results that depend on them. */
import { choose, compute, group, type Starter, say, when } from "./starter.ts"

type Question = { text: string; answers: readonly string[]; right: string; remark: string }

const questions: readonly Question[] = [
  {
    text: "Which planet is the largest?",
    answers: ["Saturn", "Jupiter", "Neptune"],
    right: "Jupiter",
    remark: "Jupiter weighs more than twice as much as all other planets together.",
  },
  {
    text: "How long does light take from the Sun to the Earth?",
    answers: ["8 seconds", "8 minutes", "8 hours"],
    right: "8 minutes",
    remark: "Light travels the 150 million kilometres in a little over 8 minutes.",
  },
  {
    text: "Which planet would float in water?",
    answers: ["Saturn", "Mars", "Mercury"],
    right: "Saturn",
    remark: "Saturn is mostly gas, and lighter than water of the same size.",
  },
  {
    text: "Where is the highest mountain of the planets?",
    answers: ["On Venus", "On the Earth", "On Mars"],
    right: "On Mars",
    remark: "Olympus Mons on Mars is some 22 kilometres high.",
  },
]

const title = (index: number) => `Question ${index + 1}`

/** A question with its remark; each answer is saved as 1 or 0, so that the points add up. */
function asked({ text, answers, right, remark }: Question, index: number) {
  const saves = title(index)
  const items = answers.map((content) => ({ content, value: content === right ? "1" : "0" }))
  const verdict = `return Number({{${saves}}}) === 1 ? "Exactly!" : "Not quite."`
  const blocks = [
    say(`Question ${index + 1} of ${questions.length}`, text),
    choose(saves, items),
    compute("Verdict", verdict),
    say(`{{Verdict}} ${remark}`),
  ]
  return group(saves, blocks, index + 1 < questions.length ? title(index + 1) : "Result")
}

const sum = questions.map((_, index) => `Number({{${title(index)}}})`).join(" + ")

export const quiz: Starter = {
  id: "quiz",
  name: "Quiz",
  description: "Four questions about the planets, with points and a result that depends on them.",
  category: "Learning",
  icon: "🪐",
  themeId: "midnight",
  variables: [...questions.map((_, index) => title(index)), "Verdict", "Points", "Again"],
  groups: [
    group(
      "Welcome",
      [say("Ready for a trip through the Solar System?", "Four questions, no cheating!")],
      title(0),
    ),
    ...questions.map(asked),
    group(
      "Result",
      [
        compute("Points", `return ${sum}`),
        say(`You have {{Points}} of ${questions.length} points.`),
        when(
          { to: "Expert", all: [["Points", "Equal to", String(questions.length)]] },
          { to: "Traveller", all: [["Points", "Greater or equal to", "2"]] },
        ),
      ],
      "Beginner",
    ),
    group("Expert", [say("Perfect! Mission control would hire you at once. 🚀")], "Again"),
    group("Traveller", [say("Well done! You know your way around up there.")], "Again"),
    group(
      "Beginner",
      [say("Every astronaut started small. Now you know four new facts!")],
      "Again",
    ),
    group("Again", [
      say("Another round?"),
      choose("Again", [
        { content: "Yes!", to: title(0) },
        { content: "No, thanks", to: "Goodbye" },
      ]),
    ]),
    group("Goodbye", [say("Thanks for playing. Look up tonight!")]),
  ],
}
