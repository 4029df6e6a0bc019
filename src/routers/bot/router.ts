/** Operations on bots. */
import { router } from "../trpc.ts"
import { createProcedure } from "./create.ts"
import { deleteProcedure } from "./delete.ts"
import { getProcedure } from "./get.ts"
import { importProcedure } from "./import.ts"
import { leaveProcedure } from "./leave.ts"
import { lintProcedure } from "./lint.ts"
import { listProcedure } from "./list.ts"
import { publicIdAvailabilityProcedure } from "./publicIdAvailability.ts"
import { publishProcedure } from "./publish.ts"
import { unpublishProcedure } from "./unpublish.ts"
import { updateProcedure } from "./update.ts"

export const botRouter = router({
  import: importProcedure,
  get: getProcedure,
  update: updateProcedure,
  create: createProcedure,
  list: listProcedure,
  lint: lintProcedure,
  delete: deleteProcedure,
  publish: publishProcedure,
  unpublish: unpublishProcedure,
  leave: leaveProcedure,
  publicIdAvailability: publicIdAvailabilityProcedure,
})
