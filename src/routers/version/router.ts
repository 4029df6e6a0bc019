/** Operations on versions of bots and on what is live. */
import { router } from "../trpc.ts"
import { diffProcedure } from "./diff.ts"
import { getProcedure } from "./get.ts"
import { keepProcedure } from "./keep.ts"
import { listProcedure } from "./list.ts"
import { listPublicationsProcedure } from "./listPublications.ts"
import { restoreDraftProcedure } from "./restoreDraft.ts"
import { rollbackProcedure } from "./rollback.ts"

export const versionRouter = router({
  list: listProcedure,
  get: getProcedure,
  keep: keepProcedure,
  diff: diffProcedure,
  rollback: rollbackProcedure,
  restoreDraft: restoreDraftProcedure,
  listPublications: listPublicationsProcedure,
})
