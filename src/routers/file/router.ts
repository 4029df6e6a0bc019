/** Uploads of end users. */
import { router } from "../trpc.ts"
import { generateUploadUrl } from "./generateUploadUrl.ts"

export const fileRouter = router({
  generateUploadUrl: generateUploadUrl("v1"),
  generateUploadUrlV2: generateUploadUrl("v2"),
  generateUploadUrlV3: generateUploadUrl("v3"),
})
