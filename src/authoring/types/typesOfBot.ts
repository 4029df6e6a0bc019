/** Answers, variables and bodies of a bot, as a module of TypeScript. */
import { type Block, typeOf } from "../../engine/blocks/registry.ts"
import type { Bot, Group } from "../../engine/bot.ts"
import { unmetered } from "../../engine/budget/fuel.ts"
import { answerKey } from "../../engine/session.ts"
import { createVariables } from "../../engine/variables/variables.ts"
import { cut, mentionLength } from "../../lib/cut.ts"
import { firstBy } from "../../lib/groupBy.ts"
import { readType, sentType } from "./bodyTypes.ts"
import {
  comment,
  emptyObject,
  listType,
  literal,
  type Member,
  mentioned,
  objectType,
  unionType,
} from "./typeScript.ts"

type Placed = { group: Group; index: number; block: Block }

/** Max characters of a choice, and max choices of a question, as literal types. */
const maxChoices = { length: 1_000, count: 1_000 }

/** Max places listed in a comment. */
const maxNotes = 5

const valueType = "string | (string | null)[]"
const prefilledType =
  "string | number | boolean | null | readonly (string | number | boolean | null)[]"

/** The text of a module that exports the type of a bot under that name. */
export function typesOfBot(bot: Bot, name: string): string {
  const blocks = bot.flow.groups.flatMap((group) =>
    group.blocks.map((block, index): Placed => ({ group, index, block })),
  )
  const questions = questionsIn(bot, blocks)
  const variables = variablesOf(bot)
  const parts = [
    {
      name: "variables",
      type: objectType(variables),
      notes: ["Variables by name, as in results; absent: no value.", ...leftOut(bot)],
    },
    {
      name: "prefilled",
      type: variables.length === 0 ? emptyObject : prefilledOf(name),
      notes: ["Variables that a start may set: numbers and the like become texts."],
    },
    {
      name: "answers",
      type: objectType(questions.map(answerOf)),
      notes: [
        "The last answer to each question, under its name in results: its variable,",
        "else the title of its group, numbered from the second question of the group on.",
      ],
    },
    {
      name: "choices",
      type: objectType(questions.flatMap(choiceOf)),
      notes: ["Choices of questions, as in answers; lists where several can be chosen."],
    },
    {
      name: "webhooks",
      type: objectType(bodiesIn(blocks, name)),
      notes: ["Bodies of the calls that it waits for, and of the requests that it makes."],
    },
  ]
  const title = "Answers, variables and bodies of the bot. Made by `parley types`: do not edit."
  return `${comment([title])}export type ${name} = ${objectType(parts)}\n`
}

function prefilledOf(typeName: string): string {
  return `{ [name in keyof ${typeName}["variables"]]?: ${prefilledType} }`
}

/** A question, or several with the same name of answers. */
type Question = {
  name: string
  /** The types of its answers and choices. */
  answers: string[]
  choices: string[]
  notes: string[]
}

function questionsIn(bot: Bot, blocks: readonly Placed[]): Question[] {
  const variables = createVariables(bot.flow.variables, [], unmetered())
  const questions = new Map<string, Question>()
  for (const placed of blocks) {
    const { block } = placed
    const type = typeOf(block)
    if (type.kind !== "input") continue
    const name = cut(answerKey(placed, variables))
    const question = questions.get(name) ?? { name, answers: [], choices: [], notes: [] }
    questions.set(name, question)
    question.notes.push(noteOn(placed))
    const offered = type.isChoice ? offeredTypes(type.choices?.(block)) : ["string"]
    const isMany = type.labels?.(block) !== undefined
    question.answers.push(...(isMany ? ["string"] : offered))
    if (type.isChoice) question.choices.push(...(isMany ? [listType(unionType(offered))] : offered))
  }
  return [...questions.values()]
}

/** The types of these choices; those with variables may be any text. */
function offeredTypes(choices: readonly string[] | undefined): string[] {
  const isOpen = (choice: string) => choice.includes("{{") || choice.length > maxChoices.length
  if (!choices?.length || choices.length > maxChoices.count || choices.some(isOpen)) {
    return ["string"]
  }
  return choices.map(literal)
}

function answerOf({ name, answers, notes }: Question): Member {
  const type = answers.includes("string") ? "string" : unionType(answers)
  return { name, type, isOptional: true, notes: noted(notes) }
}

function choiceOf({ name, choices, notes }: Question): Member[] {
  return choices.length === 0 ? [] : [{ name, type: unionType(choices), notes: noted(notes) }]
}

function variablesOf({ flow }: Bot): Member[] {
  const short = flow.variables.filter(({ name }) => name.length <= mentionLength)
  return [...firstBy(short, ({ name }) => name).values()].map(({ name, isSessionVariable }) => {
    const notes = isSessionVariable ? ["Never in results: only the chat has it."] : []
    return { name, type: valueType, isOptional: true, notes }
  })
}

function leftOut({ flow }: Bot): string[] {
  const long = flow.variables.filter(({ name }) => name.length > mentionLength)
  return long.length === 0
    ? []
    : [`Names of more than ${mentionLength} characters are left out: ${long.length}.`]
}

function bodiesIn(blocks: readonly Placed[], typeName: string): Member[] {
  const named = `keyof ${typeName}["answers"] | keyof ${typeName}["variables"]`
  const collected = `{ submittedAt: string } & { [name in ${named}]?: string }`
  const bodies: Member[] = []
  const counts = new Map<string, number>()
  for (const placed of blocks) {
    const { block, group } = placed
    const type = typeOf(block)
    const read = type.readsBody?.(block)
    const sent = type.sendsBody?.(block)
    if (read === undefined && sent === undefined) continue
    const place = `${cut(group.title)} / ${type.catalogue.label}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    const name = count === 1 ? place : `${place} (${count})`
    const body = read ? readType(read) : sent ? sentType(sent) : collected
    bodies.push({ name, type: body, notes: [noteOn(placed)] })
  }
  return bodies
}

function noteOn({ group, block }: Placed): string {
  const { label } = typeOf(block).catalogue
  return `${label} in the group ${mentioned(group.title)}, block ${mentioned(block.id)}.`
}

function noted(notes: readonly string[]): string[] {
  const more = notes.length - maxNotes
  return more > 0 ? [...notes.slice(0, maxNotes), `And ${more} more.`] : [...notes]
}
