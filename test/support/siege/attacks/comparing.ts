/** Conditions that cost much: patterns on long texts, lists against lists. */

import { bounded, served, tooExpensive } from "../attack.ts"
import type { FlowAttack } from "../doors.ts"
import { anyOf, block, comparison, idOf, many, say } from "../flow.ts"

const long = (length: number, letter = "a") => letter.repeat(length)
const list = (count: number, prefix: string) => many(count, (index) => `${prefix}${index}`)
const regexes = (count: number, pattern: (index: number) => string) =>
  anyOf(many(count, (index) => comparison("V", "Matches regex", pattern(index))))
const listsBy = (operator: string) => [anyOf([comparison("A", operator, "{{B}}")])]
const twoLists = (count: number) => () => ({ A: list(count, "a"), B: list(count, "b") })

/** Every pair is looked at. */
const pairwise: FlowAttack[] = [
  ["Contains", twoLists(10_000)],
  ["Not equal", twoLists(10_000)],
  ["Does not contain", twoLists(10_000)],
  ["Equal to", () => ({ A: many(10_000, () => "a"), B: many(10_000, () => "a") })],
  ["Starts with", () => ({ A: many(10_000, () => "ab"), B: many(10_000, () => "a") })],
  ["Ends with", () => ({ A: many(10_000, () => "ba"), B: many(10_000, () => "a") })],
  ["Matches regex", () => ({ A: list(3_000, "a"), B: list(3_000, "b+c") })],
  ["Does not match regex", () => ({ A: list(3_000, "a"), B: list(3_000, "b+c") })],
].map(([operator, values]) => ({
  name: `list × list ${operator}`,
  blocks: () => listsBy(operator as string),
  values: values as ReturnType<typeof twoLists>,
  judge: tooExpensive,
}))

export const comparing: FlowAttack[] = [
  {
    name: "40 regexes on 90 kB",
    blocks: () => [regexes(40, () => "(a?){40}b$")],
    values: () => ({ V: long(90_000) }),
    judge: tooExpensive,
  },
  {
    name: "loop over one regex",
    blocks: () => [
      regexes(1, () => "(a?){40}b$"),
      { ...say("on"), id: "last", outgoingEdgeId: "back" },
    ],
    values: () => ({ V: long(90_000) }),
    judge: tooExpensive,
  },
  ...pairwise,
  {
    name: "2,000 patterns of their own",
    blocks: () => [regexes(2_000, (index) => `(x?){${(index % 90) + 10}}y${index}$`)],
    values: () => ({ V: long(2_000, "x") }),
    judge: bounded,
  },
  {
    name: "pattern of 90 kB",
    blocks: () => [regexes(1, () => `${"(a|b)".repeat(18_000)}c`)],
    values: () => ({ V: long(50_000) }),
    judge: bounded,
  },
  {
    name: "pattern from a variable",
    blocks: () => [anyOf([comparison("V", "Matches regex", "{{P}}")])],
    values: () => ({ V: long(90_000), P: "((a?){60}){60}b$" }),
    judge: bounded,
  },
  {
    name: "1,000 comparisons of 400 kB",
    blocks: () => [anyOf(many(1_000, (index) => comparison("V", "Contains", `é{{V}}${index}`)))],
    values: () => ({ V: long(400_000, "É") }),
    judge: tooExpensive,
  },
  {
    name: "dates of 400 kB in comparisons",
    blocks: () => [anyOf(many(2_000, () => comparison("V", "Greater than", "{{V}}")))],
    values: () => ({ V: `1 ${long(400_000, "(")}` }),
    judge: bounded,
  },
  {
    name: "shown if a regex holds, 2,000 times",
    blocks: () => [
      block(
        "choice input",
        {},
        {
          items: many(2_000, (index) => ({
            id: `i${index}`,
            content: "x",
            displayCondition: {
              isEnabled: true,
              condition: { comparisons: [comparison("V", "Matches regex", "(a?){40}b$")] },
            },
          })),
        },
      ),
    ],
    values: () => ({ V: long(90_000) }),
    judge: tooExpensive,
  },
  {
    name: "multiple choice against 2,000 items",
    blocks: () => [
      block(
        "choice input",
        { isMultipleChoice: true, variableId: idOf("V") },
        { items: many(2_000, (index) => ({ id: `i${index}`, content: long(40, "a") + index })) },
      ),
    ],
    values: () => ({ V: "" }),
    replies: [many(24_000, () => "a, ").join("")],
    judge: bounded,
  },
  {
    name: "honest conditions",
    blocks: () => [
      anyOf([
        comparison("V", "Matches regex", "^[a-z]+@[a-z]+\\.[a-z]{2,}$"),
        comparison("V", "Contains", "example"),
        comparison("A", "Contains", "{{B}}"),
      ]),
      say("Hello {{V}}"),
    ],
    values: () => ({ V: "ann@example.com", A: list(50, "a"), B: list(50, "b") }),
    judge: served,
    isControl: true,
  },
]
