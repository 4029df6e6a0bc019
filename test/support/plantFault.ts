/** Plants one fault in a flow, of the kinds that authors make while they change something else. */
import type { Flow } from "../../src/engine/bot.ts"
import type { Comparison, Condition } from "../../src/engine/schema/condition.ts"
import type { Dice } from "./dice.ts"

/** A fault and where it is. */
export type Fault = { kind: FaultKind; place: string; flow: Flow }

export type FaultKind = "edge cut" | "condition flipped" | "variable renamed" | "text changed"

type Plant = { place: string; plant(): void }

/** Everything that can be broken in a copy of a flow. */
function plantsIn(flow: Flow): Record<FaultKind, Plant[]> {
  const blocks = flow.groups.flatMap(({ title, blocks }) =>
    blocks.map((block) => ({ block, place: `${title} › ${block.type} ${block.id}` })),
  )
  return {
    "edge cut": flow.edges.map((edge) => ({
      place: `${edge.id} from ${JSON.stringify(edge.from)}`,
      plant: () => flow.edges.splice(flow.edges.indexOf(edge), 1),
    })),
    "condition flipped": blocks.flatMap(({ block, place }) =>
      conditionsIn(block).map((condition) => ({ place, plant: () => flip(condition) })),
    ),
    "variable renamed": flow.variables.map((variable) => ({
      place: variable.name,
      plant: () => {
        variable.name = `${variable.name} 2`
      },
    })),
    "text changed": blocks.flatMap(({ block, place }) =>
      textsIn(block).map(({ holder, key, text }) => ({
        place: `${place}: ${text.slice(0, 40)}`,
        plant: () => Reflect.set(holder, key, `${text} changed`),
      })),
    ),
  }
}

/** A copy of a flow with a fault; undefined: it has nothing that could be broken. */
export function plantFault(flow: Flow, dice: Dice): Fault | undefined {
  const copy = structuredClone(flow)
  const plants = plantsIn(copy)
  const kinds = Object.keys(plants) as FaultKind[]
  const possible = kinds.filter((kind) => plants[kind].length > 0)
  const kind = possible[dice.below(possible.length)]
  if (kind === undefined) return undefined
  const chosen = plants[kind][dice.below(plants[kind].length)]
  if (!chosen) return undefined
  chosen.plant()
  return { kind, place: chosen.place, flow: copy }
}

const opposites: Partial<Record<string, Comparison["comparisonOperator"]>> = {
  "Equal to": "Not equal",
  "Not equal": "Equal to",
  Contains: "Does not contain",
  "Does not contain": "Contains",
  "Greater than": "Less or equal to",
  "Less than": "Greater or equal to",
  "Greater or equal to": "Less than",
  "Less or equal to": "Greater than",
  "Is set": "Is empty",
  "Is empty": "Is set",
  "Starts with": "Does not contain",
  "Ends with": "Does not contain",
  "Matches regex": "Does not match regex",
  "Does not match regex": "Matches regex",
}

function flip({ comparisons = [] }: Condition): void {
  const [first] = comparisons
  if (first) first.comparisonOperator = opposites[first.comparisonOperator ?? "Equal to"]
}

/** The conditions anywhere in a block: of its items, and of what it shows. */
function conditionsIn(part: unknown): Condition[] {
  if (typeof part !== "object" || part === null) return []
  const own = "comparisons" in part && Array.isArray(part.comparisons) ? [part as Condition] : []
  const isOwn = own.some(({ comparisons = [] }) => comparisons.length > 0)
  return isOwn ? own : Object.values(part).flatMap(conditionsIn)
}

type Text = { holder: object; key: string; text: string }

/** What a person reads: the texts of bubbles, and the labels of choices. */
function textsIn(part: unknown): Text[] {
  if (typeof part !== "object" || part === null) return []
  return Object.entries(part).flatMap(([key, value]): Text[] => {
    if (typeof value !== "string") return textsIn(value)
    const isText = key === "text" || (key === "content" && "id" in part)
    return isText && value.trim() !== "" ? [{ holder: part, key, text: value }] : []
  })
}
