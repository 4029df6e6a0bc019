/** The texts of a flow for rules, with their paths. */
import type { Flow } from "../../engine/bot.ts"
import { tokensIn } from "../../engine/variables/interpolate.ts"
import { mask } from "../secrets/findSecrets.ts"
import { minSecretLength } from "../secrets/secretNames.ts"
import type { BlockEntry } from "./blockEntries.ts"
import type { Key, Path } from "./location.ts"

export type FlowText = {
  path: Path
  text: string
  /** Distinct names of the variables that it mentions. */
  tokens: readonly string[]
  /** The object that has it as a member; undefined for an element of a list. */
  owner: object | undefined
  /** The block it belongs to; absent: an event, the theme, the settings, or a variable. */
  entry: BlockEntry | undefined
  /** Whether chats fill in its variables. */
  isFilled: boolean
}

/** The texts of the blocks, events, theme, settings and initial values of a flow. */
export type FlowTexts = {
  /** Ids, those that mention a variable, values that may be secrets, and all of some length. */
  texts: readonly FlowText[]
  /** Ids of variables that occur anywhere but in initial values, in any member. */
  namedIds: ReadonlySet<string>
}

/** Shorter texts are mostly words of the format. Keeping them would cost more than all the rules. */
const minTextLength = 8

export function textsOf(flow: Flow, blocks: readonly BlockEntry[]): FlowTexts {
  const { found, collect } = createCollector(flow.variables)
  for (const entry of blocks) {
    const { block, path, type } = entry
    collect(block, { path, entry, isFilled: !type.isUnknown, unfilled: type.unfilled })
  }
  flow.events?.forEach((event, index) => {
    collect(event, { path: ["events", index], isFilled: false })
  })
  collect(flow.theme, { path: ["theme"], isFilled: true, unfilled: unfilledSettings })
  collect(flow.settings, { path: ["settings"], isFilled: true, unfilled: unfilledSettings })
  for (const [index, variable] of flow.variables.entries()) {
    const path = ["variables", index, "value"]
    collect(variable.value, { path, owner: variable, isFilled: false })
  }
  return found
}

/** Code for the page, ids of trackers and words for assistants, which stay as they are. */
const unfilledSettings = ["customHeadCode", "googleTagManagerId", "toolDescription"]

/** Shared facts of all texts in one part of a flow. */
type Part = {
  path: Path
  /** The object that has the part as a member; absent: the flow. */
  owner?: object
  entry?: BlockEntry
  isFilled: boolean
  /** Members whose texts are never filled in; absent: none. */
  unfilled?: readonly string[] | undefined
}

function createCollector(variables: Flow["variables"]) {
  const ids = new Set(variables.map(({ id }) => id))
  const maxIdLength = Math.max(0, ...variables.map(({ id }) => id.length))
  const texts: FlowText[] = []
  const namedIds = new Set<string>()
  let part: Part = { path: [], isFilled: false }
  // One list for a whole part, copied only for texts that are kept.
  let trail: Key[] = []

  const take = (text: string, owner: object | undefined, isFilled: boolean) => {
    if (text.length <= maxIdLength && ids.has(text) && part.path[0] !== "variables")
      namedIds.add(text)
    const key = trail.at(-1)
    const tokens = text.includes("{{") ? tokensIn(text) : noTokens
    const isId = typeof key === "string" && key.endsWith("Id")
    const minLength = key === "value" ? minSecretLength : minTextLength
    if (!isId && text !== mask && text.length < minLength && tokens.length === 0) return
    texts.push({ path: trail.slice(), text, tokens, owner, entry: part.entry, isFilled })
  }
  const visit = (value: unknown, owner: object | undefined, isFilled: boolean): void => {
    if (typeof value === "string") take(value, owner, isFilled)
    if (typeof value !== "object" || value === null) return
    const depth = trail.push("") - 1
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        trail[depth] = index
        visit(value[index], undefined, isFilled)
      }
    } else {
      for (const key in value) {
        trail[depth] = key
        const member = (value as Record<string, unknown>)[key]
        visit(member, value, isFilled && !part.unfilled?.includes(key))
      }
    }
    trail.pop()
  }
  return {
    found: { texts, namedIds } satisfies FlowTexts,
    collect(value: unknown, facts: Part) {
      part = facts
      trail = [...facts.path]
      visit(value, facts.owner, facts.isFilled)
    },
  }
}

const noTokens: readonly string[] = []
