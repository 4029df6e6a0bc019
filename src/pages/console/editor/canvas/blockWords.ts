/** What a block does, in a few words: what stands in its row on the canvas. */
import { useMemo } from "react"
import { useTexts } from "../../shell/texts.ts"
import type { Block, Bot, CatalogueEntry } from "../editing.ts"
import { blockTexts } from "./blockWordTexts.ts"
import { isShare, listAt, textAt, valueAt } from "./reading.ts"
import { paragraphsOf } from "./richTextWords.ts"

export type BlockWords = {
  /** Its type in the words of the catalogue. */
  label: string
  /** What its author has set; "": nothing yet. */
  summary: string
  /** Name of the variable that receives the answer. */
  saves: string | undefined
}

/** Names that blocks refer to by id. */
export type Names = {
  variables: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
}

export type Words = {
  ofBlock(block: Block, entry: CatalogueEntry | undefined): BlockWords
  /** The label of an item; "": it has none. */
  ofItem(block: Block, index: number): string
  ofPath(block: Block, index: number, path: number): string
}

/** The words of a draft; the same object while its names are the same. */
export function useWords({ variables, groups }: Pick<Bot, "variables" | "groups">): Words {
  const t = useTexts(blockTexts)
  const titles = groups.map(({ title }) => title).join("\n")
  // groups change with every edit, titles rarely.
  return useMemo(() => {
    const names: Names = {
      variables: new Map(variables.map(({ id, name }) => [id, name])),
      groups: new Map(groups.map(({ id, title }) => [id, title])),
    }
    return wordsWith(names, t)
  }, [variables, titles, t])
}

type Texts = (typeof blockTexts)["en"]

function wordsWith(names: Names, t: Texts): Words {
  const variable = (id: string) => names.variables.get(id) ?? t.unknownVariable
  return {
    ofBlock(block, entry) {
      const savesTo = textAt(block, "options", "variableId")
      const isInput = entry?.kind === "input"
      return {
        label: entry?.label ?? t.unknownType(block.type),
        summary: summaryOf(block, { names, t, variable }),
        saves: isInput && savesTo ? variable(savesTo) : undefined,
      }
    },
    ofItem(block, index) {
      const item = valueAt(block, "items", index)
      if (isShare(item)) return shareOf(block, textAt(item, "path"))
      const content = valueAt(item, "content")
      if (typeof content === "object" && content !== null) return conditionOf(content, variable, t)
      return textAt(item, "content") || textAt(item, "title") || textAt(item, "pictureSrc")
    },
    ofPath: (block, index, path) => textAt(block, "items", index, "paths", path, "text"),
  }
}

type With = { names: Names; t: Texts; variable(id: string): string }

function summaryOf(block: Block, { names, t, variable }: With): string {
  const option = (...path: string[]) => textAt(block, "options", ...path)
  switch (block.type as string) {
    case "text":
      return paragraphsOf(block).join("\n").trim()
    case "Set variable": {
      const id = option("variableId")
      const kind = option("type")
      const value =
        kind === "" || kind === "Custom"
          ? option("expressionDescription") || option("expressionToEvaluate")
          : kind
      return id === "" ? "" : `${variable(id)} = ${value}`
    }
    case "Jump": {
      const title = option("groupId") && (names.groups.get(option("groupId")) ?? t.unknownGroup)
      return title && t.to(title)
    }
    case "Wait":
      return option("secondsToWaitFor") && t.seconds(option("secondsToWaitFor"))
    case "Email":
      return [listAt(block, "options", "recipients").join(", "), option("subject")]
        .filter(Boolean)
        .join(": ")
    case "Webhook":
    case "Zapier":
    case "Make.com":
    case "Pabbly":
      return (
        option("webhook", "url") &&
        `${option("webhook", "method") || "POST"} ${option("webhook", "url")}`
      )
    case "choice input":
      return option("dynamicVariableId") && t.from(variable(option("dynamicVariableId")))
    case "Code":
      return option("name") || firstLine(option("content"))
    default:
      return anyOf(block)
  }
}

/** Members that say the most about a block of any type, the first of which counts. */
const telling = [
  ["content", "url"],
  ["options", "labels", "placeholder"],
  ["options", "action"],
  ["options", "url"],
  ["options", "name"],
  ["options", "event"],
  ["options", "subject"],
  ["options", "trackingId"],
  ["options", "amount"],
] as const

function anyOf(block: Block): string {
  for (const path of telling) {
    const text = textAt(block, ...path)
    if (text !== "") return firstLine(text)
  }
  return ""
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? ""
}

function shareOf(block: Block, path: string): string {
  const percent = Number(textAt(block, "options", "aPercent") || 50)
  return path === "b" ? `B ${100 - percent} %` : `A ${percent} %`
}

function conditionOf(condition: object, variable: (id: string) => string, t: Texts): string {
  const joined = textAt(condition, "logicalOperator") === "OR" ? t.or : t.and
  const comparisons = listAt(condition, "comparisons").flatMap((comparison) => {
    const id = textAt(comparison, "variableId")
    if (id === "") return []
    const operator = textAt(comparison, "comparisonOperator")
    const words = t.operators[operator as keyof Texts["operators"]] ?? operator
    return [`${variable(id)} ${words} ${textAt(comparison, "value")}`.trim()]
  })
  return comparisons.join(` ${joined} `)
}
