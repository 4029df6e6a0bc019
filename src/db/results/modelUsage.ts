/** Stores what calls of language models use per workspace and month. */
import { sql } from "kysely"
import type { Plan } from "../../lib/plans.ts"
import type { Db } from "../connection/openDatabase.ts"

/** What calls have used in a month; `periodStart` is `YYYY-MM-01`. */
export type ModelUsage = {
  workspaceId: string
  periodStart: string
  calls: number
  inputTokens: number
  outputTokens: number
}

/** Adds usage to what is stored; that of deleted workspaces is left out. */
export async function addModelUsage({ kysely }: Db, usage: readonly ModelUsage[]): Promise<void> {
  // In one order: two processes must not wait for each other.
  await sql`insert into model_usage
    (workspace_id, period_start, calls, input_tokens, output_tokens)
    select w.id, u."periodStart", u.calls, u."inputTokens", u."outputTokens"
    from jsonb_to_recordset(${JSON.stringify(usage)}::jsonb) as u ("workspaceId" text,
      "periodStart" date, calls bigint, "inputTokens" bigint, "outputTokens" bigint)
    join workspaces w on w.id = u."workspaceId" order by 1, 2
    on conflict (workspace_id, period_start) do update set
      calls = model_usage.calls + excluded.calls,
      input_tokens = model_usage.input_tokens + excluded.input_tokens,
      output_tokens = model_usage.output_tokens + excluded.output_tokens`.execute(kysely)
}

/** Finds the plan of a workspace and what its calls have used in a month. Undefined: it is gone. */
export async function findModelUsage(
  { kysely }: Db,
  { workspaceId, periodStart }: Pick<ModelUsage, "workspaceId" | "periodStart">,
) {
  const { rows } = await sql<{ plan: Plan } & Omit<ModelUsage, "workspaceId" | "periodStart">>`
    select w.plan, coalesce(u.calls, 0)::float8 as calls,
      coalesce(u.input_tokens, 0)::float8 as "inputTokens",
      coalesce(u.output_tokens, 0)::float8 as "outputTokens"
    from workspaces w left join model_usage u
      on u.workspace_id = w.id and u.period_start = ${periodStart}::date
    where w.id = ${workspaceId}`.execute(kysely)
  return rows[0]
}
