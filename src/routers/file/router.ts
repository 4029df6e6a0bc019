/** Uploads of end users. */
import { router } from "../trpc.ts"
import { generateUploadUrlProcedure } from "./generateUploadUrl.ts"

export const fileRouter = router({ generateUploadUrl: generateUploadUrlProcedure })
