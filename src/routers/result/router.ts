/** Operations on results. */
import { router } from "../trpc.ts"
import { analyticsProcedure } from "./analytics.ts"
import { deleteProcedure } from "./delete.ts"
import { getProcedure } from "./get.ts"
import { listProcedure } from "./list.ts"
import { listLogsProcedure } from "./listLogs.ts"
import { traceProcedure } from "./trace.ts"
import { transcriptProcedure } from "./transcript.ts"

export const resultRouter = router({
  get: getProcedure,
  list: listProcedure,
  listLogs: listLogsProcedure,
  transcript: transcriptProcedure,
  trace: traceProcedure,
  delete: deleteProcedure,
  analytics: analyticsProcedure,
})
