/** Every text of a flow, and where it stands. */
import type { Flow } from "../bot.ts"
import type { Path } from "./place.ts"
import type { Site } from "./subject.ts"

/** A text somewhere in a flow. */
export type FlowText = {
  path: Path
  text: string
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
    collect(block, path, { found, site, isFilled: !type.isUnknown, unfilled: type.unfilled ?? [] })
  }
  const outside = { found, site: undefined, unfilled: unfilledSettings }
  flow.events?.forEach((event, index) => {
    collect(event, ["events", index], { ...outside, isFilled: false })
  })
  collect(flow.theme, ["theme"], { ...outside, isFilled: true })
  collect(flow.settings, ["settings"], { ...outside, isFilled: true })
  flow.variables.forEach(({ value }, index) => {
    collect(value, ["variables", index, "value"], { ...outside, isFilled: false })
  })
  return found
}

/** Code for the page and ids of trackers, which reach clients as they are. */
const unfilledSettings = ["customHeadCode", "googleTagManagerId"]

/** What is the same for all texts of a part of a flow. */
type Part = Pick<FlowText, "site" | "isFilled"> & {
  found: FlowText[]
  /** Members whose texts are never filled in. */
  unfilled: readonly string[]
}

function collect(value: unknown, path: Path, part: Part): void {
  const visit = (value: unknown, path: Path, owner?: object): void => {
    if (typeof value === "string") {
      const isFilled = part.isFilled && !part.unfilled.some((member) => path.includes(member))
      part.found.push({ path, text: value, owner, site: part.site, isFilled })
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visit(value[index], [...path, index])
    } else if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) {
        visit((value as Record<string, unknown>)[key], [...path, key], value)
      }
    }
  }
  visit(value, path)
}
