/** Shortens texts of an imported bot that are too long, and keeps the rest unchanged. */

import { longTextsIn, maxLengths } from "../../engine/schema/bounds.ts"
import type { Variable } from "../../engine/schema/variable.ts"
import { cut } from "../../lib/cut.ts"
import { pickText, putAt } from "../../lib/foreignJson.ts"
import { mapTexts } from "../../lib/json.ts"
import { type ImportedBot, maxBotNameLength } from "./importedBot.ts"

/** The bot with texts short enough to store; a variable whose name is cut is renamed at all its uses. */
export function shortenBot(bot: ImportedBot): ImportedBot {
  if (bot.name.length > maxBotNameLength) {
    return shortenBot({ ...bot, name: cut(bot.name, maxBotNameLength) })
  }
  if (longTextsIn(bot).length === 0) return bot
  const renamed = shortNames(bot.variables)
  const variables = bot.variables.map((variable) => {
    const name = renamed.get(variable.name)
    return name === undefined ? variable : { ...variable, name }
  })
  return withCutTexts(withNames({ ...bot, variables }, renamed))
}

/** The bot with too long texts cut, ending in "…". */
export function withCutTexts<Bot extends object>(bot: Bot): Bot {
  const copy = structuredClone(bot)
  for (const { path, max } of longTextsIn(bot)) {
    putAt(copy, path.map(String), cut(pickText(bot, ...path) ?? "", max))
  }
  return copy
}

/** Distinct short names for those that are too long, so that no text refers to another variable. */
function shortNames(variables: readonly Variable[]): ReadonlyMap<string, string> {
  const taken = new Set(variables.map(({ name }) => name))
  const renamed = new Map<string, string>()
  let count = 0
  for (const { name } of variables) {
    if (name.length <= maxLengths.name || renamed.has(name)) continue
    let short = cut(name, maxLengths.name)
    while (taken.has(short)) {
      count += 1
      const ending = ` ${count}`
      short = cut(name, maxLengths.name - ending.length) + ending
    }
    taken.add(short)
    renamed.set(name, short)
  }
  return renamed
}

/** Too long names in tokens of texts. */
const longToken = new RegExp(`\\{\\{([^{}]{${maxLengths.name + 1},})\\}\\}`, "g")

function withNames<Value>(value: Value, renamed: ReadonlyMap<string, string>): Value {
  if (renamed.size === 0) return value
  const rename = (text: string) =>
    text.replace(longToken, (token, name) => {
      const short = renamed.get(name)
      return short === undefined ? token : `{{${short}}}`
    })
  return mapTexts(value, rename) as Value
}
