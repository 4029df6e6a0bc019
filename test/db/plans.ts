/** Reads what auto_explain tells about statements: which tables they read, and how they find rows. */

const settings = [
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_nested_statements=on",
  "auto_explain.log_analyze=on",
  "auto_explain.log_timing=off",
  "auto_explain.log_format=json",
  "auto_explain.log_level=notice",
  "auto_explain.log_parameter_max_length=0",
  "plan_cache_mode=force_generic_plan",
]

/** Parameters of a URL whose connections plan for any values and tell every plan as a notice. */
export const explaining = { options: settings.map((setting) => `-c ${setting}`).join(" ") }

/** A statement and how it was run. */
export type Explained = { text: string; plan: PlanNode }

/** One step of a plan, as far as tests look at it. */
type PlanNode = {
  "Node Type": string
  "Relation Name"?: string
  "Index Cond"?: string
  "Index Name"?: string
  "Rows Removed by Filter"?: number
  Plans?: PlanNode[]
}

/** How a statement finds rows of a table. */
export type Read = {
  table: string
  /** By which index; absent: by none. */
  index?: string | undefined
  /** Whether it goes to what an index says about the values that it looks for. */
  isByIndex: boolean
  /** Rows that it looked at and did not want. */
  passedOver: number
}

/** The plans among the notices of a connection with auto_explain in JSON. */
export function plansIn(notices: readonly string[]): Explained[] {
  return notices.flatMap((notice) => {
    const json = /plan:\n(\{.*\})/s.exec(notice)?.[1]
    if (json === undefined) return []
    const { "Query Text": text, Plan: plan } = JSON.parse(json)
    return [{ text, plan }]
  })
}

/** Every read of a table in a plan. */
export function readsOf({ plan }: Pick<Explained, "plan">): Read[] {
  const below = (plan.Plans ?? []).flatMap((inner) => readsOf({ plan: inner }))
  const table = plan["Relation Name"]
  if (table === undefined || plan["Node Type"] === "ModifyTable") return below
  // A bitmap of the heap has its index in the step below it.
  const bitmap = plan["Node Type"] === "Bitmap Heap Scan" ? plan.Plans?.[0] : undefined
  const { "Index Name": index, "Index Cond": condition } = bitmap ?? plan
  return [
    {
      table,
      index,
      isByIndex: index !== undefined && condition !== undefined,
      passedOver: plan["Rows Removed by Filter"] ?? 0,
    },
    ...below,
  ]
}
