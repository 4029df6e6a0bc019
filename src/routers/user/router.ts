/** Operations on the caller, their API tokens and their invitations. */
import { router } from "../trpc.ts"
import { acceptInvitationProcedure } from "./acceptInvitation.ts"
import { createTokenProcedure } from "./createToken.ts"
import { declineInvitationProcedure } from "./declineInvitation.ts"
import { getMeProcedure } from "./getMe.ts"
import { listInvitationsProcedure } from "./listInvitations.ts"
import { listTokensProcedure } from "./listTokens.ts"
import { revokeTokenProcedure } from "./revokeToken.ts"
import { updateMeProcedure } from "./updateMe.ts"

export const userRouter = router({
  getMe: getMeProcedure,
  updateMe: updateMeProcedure,
  listTokens: listTokensProcedure,
  createToken: createTokenProcedure,
  revokeToken: revokeTokenProcedure,
  listInvitations: listInvitationsProcedure,
  acceptInvitation: acceptInvitationProcedure,
  declineInvitation: declineInvitationProcedure,
})
