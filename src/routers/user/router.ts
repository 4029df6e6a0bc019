/** Operations on the caller and their API tokens. */
import { router } from "../trpc.ts"
import { createTokenProcedure } from "./createToken.ts"
import { getMeProcedure } from "./getMe.ts"
import { listTokensProcedure } from "./listTokens.ts"
import { revokeTokenProcedure } from "./revokeToken.ts"
import { updateMeProcedure } from "./updateMe.ts"

export const userRouter = router({
  getMe: getMeProcedure,
  updateMe: updateMeProcedure,
  listTokens: listTokensProcedure,
  createToken: createTokenProcedure,
  revokeToken: revokeTokenProcedure,
})
