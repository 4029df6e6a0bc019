/** Operations on workspaces. */
import { router } from "../trpc.ts"
import { createProcedure } from "./create.ts"
import { getProcedure } from "./get.ts"
import { listProcedure } from "./list.ts"

export const workspaceRouter = router({
  create: createProcedure,
  get: getProcedure,
  list: listProcedure,
})
