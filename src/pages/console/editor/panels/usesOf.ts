/** Where a bot uses a variable, and the edits that rename it there. */
import type { Edit } from "@parley/client/edit"
import { editsBetween } from "@parley/client/edit"
import type { Block, Bot } from "../editing.ts"

type Variable = Bot["variables"][number]

/** The blocks that name a variable by its id or its token. */
export function usesOf(bot: Bot, { id, name }: Variable): { block: Block; group: string }[] {
  return bot.groups.flatMap(({ title, blocks }) =>
    blocks.filter((block) => names(block, id, name)).map((block) => ({ block, group: title })),
  )
}

function names(value: unknown, id: string, name: string): boolean {
  if (typeof value === "string") return value === id || value.includes(`{{${name}}}`)
  if (typeof value !== "object" || value === null) return false
  return Object.values(value).some((part) => names(part, id, name))
}

/** The edits that rename a variable, and its tokens in every text. */
export function renaming(bot: Bot, variable: Variable, name: string): Edit[] {
  const [from, to] = [`{{${variable.name}}}`, `{{${name}}}`]
  const renamed = <Part>(part: Part): Part => withToken(part, from, to) as Part
  const variables = bot.variables.map((each) =>
    each.id === variable.id ? { ...each, name } : each,
  )
  const { groups, theme, settings } = bot
  return editsBetween(bot, {
    ...bot,
    variables,
    groups: renamed(groups),
    theme: renamed(theme),
    settings: renamed(settings),
  })
}

/** Parts without the token stay the same objects. */
function withToken(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.replaceAll(from, to)
  if (Array.isArray(value)) return value.map((each) => withToken(each, from, to))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withToken(each, from, to)]),
  )
}
