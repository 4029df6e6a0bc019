/** Reads the turns of a result as they are stored: what each added, by the moment at which it did. */
import type { Selectable } from "kysely"
import type { Db } from "../connection/open.ts"
import type { AnswersTable, LogsTable, ResultStepsTable } from "../schema/hotTables.ts"

/** One row per turn that left one. */
export type StoredStep = Selectable<ResultStepsTable>

/** Everything that the turns of a result have added to it, oldest first. */
export type StoredTurns = {
  answers: Selectable<AnswersTable>[]
  steps: StoredStep[]
  logs: Selectable<LogsTable>[]
}

/** Reads the turns of a result. Rows of one turn have the same `createdAt`. */
export async function findTurns({ kysely }: Db, resultId: string): Promise<StoredTurns> {
  const [answers, steps, logs] = await Promise.all([
    kysely
      .selectFrom("answers")
      .selectAll()
      .where("resultId", "=", resultId)
      .orderBy("idx")
      .execute(),
    kysely
      .selectFrom("resultSteps")
      .selectAll()
      .where("resultId", "=", resultId)
      .orderBy("step")
      .execute(),
    kysely.selectFrom("logs").selectAll().where("resultId", "=", resultId).orderBy("id").execute(),
  ])
  return { answers, steps, logs }
}
