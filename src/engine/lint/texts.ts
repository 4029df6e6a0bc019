/** Every text of a flow, and where it stands. */
import type { Flow } from "../bot.ts"
import { tokensIn } from "../variables/interpolate.ts"
import type { Path } from "./location.ts"
import type { Site } from "./subject.ts"

/** A text somewhere in a flow. */
export type FlowText = {
  path: Path
  text: string
  /** Names of the variables that it mentions, each once. */
  tokens: readonly string[]
  /** The object that has it as a member; undefined for an element of a list. */
  owner: object | undefined
  /** The block it belongs to; absent: an event, the theme, the settings, or a variable. */
  site: Site | undefined
  /** Whether variables in it are filled in when a chat comes there. */
  isFilled: boolean
}

/** The texts of the blocks, events, theme, settings and initial values of a flow. */
export function textsOf(flow: Flow, sites: readonly Site[]): FlowText[] {
  const found: FlowText[] = []
  for (const site of sites) {
    const { block, path, type } = site
    collect(block, path, { found, site, isFilled: !type.isUnknown, unfilled: type.unfilled })
  }
  const outside = { found, site: undefined, unfilled: unfilledSettings }
  flow.events?.forEach((event, index) => {
    collect(event, ["events", index], { ...outside, isFilled: false })
  })
  collect(flow.theme, ["theme"], { ...outside, isFilled: true })
  collect(flow.settings, ["settings"], { ...outside, isFilled: true })
  for (const [index, { value }] of flow.variables.entries()) {
    collect(value, ["variables", index, "value"], { ...outside, isFilled: false })
  }
  return found
}

/** Code for the page and ids of trackers, which reach clients as they are. */
const unfilledSettings = ["customHeadCode", "googleTagManagerId"]

/** What is the same for all texts of a part of a flow. */
type Part = Pick<FlowText, "site" | "isFilled"> & {
  found: FlowText[]
  /** Members whose texts are never filled in; absent: none. */
  unfilled: readonly string[] | undefined
}

function collect(value: unknown, path: Path, { found, site, unfilled, ...part }: Part): void {
  // One list for all, copied only where there is a text: most of what is visited holds none.
  const trail = [...path]
  const visit = (value: unknown, owner: object | undefined, isFilled: boolean): void => {
    if (typeof value === "string") {
      found.push({
        path: trail.slice(),
        text: value,
        tokens: tokensIn(value),
        owner,
        site,
        isFilled,
      })
    } else if (Array.isArray(value)) {
      const depth = trail.push(0)
      for (let index = 0; index < value.length; index++) {
        trail[depth - 1] = index
        visit(value[index], undefined, isFilled)
      }
      trail.pop()
    } else if (typeof value === "object" && value !== null) {
      const depth = trail.push("")
      for (const key of Object.keys(value)) {
        trail[depth - 1] = key
        const member = (value as Record<string, unknown>)[key]
        visit(member, value, isFilled && !unfilled?.includes(key))
      }
      trail.pop()
    }
  }
  visit(value, undefined, part.isFilled)
}
