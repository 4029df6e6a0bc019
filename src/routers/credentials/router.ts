/** Operations on credentials. */
import { router } from "../trpc.ts"
import { createProcedure } from "./create.ts"
import { deleteProcedure } from "./delete.ts"
import { getProcedure } from "./get.ts"
import { listProcedure } from "./list.ts"
import { updateProcedure } from "./update.ts"

export const credentialsRouter = router({
  create: createProcedure,
  list: listProcedure,
  get: getProcedure,
  update: updateProcedure,
  delete: deleteProcedure,
})
