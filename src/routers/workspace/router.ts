/** Operations on workspaces, their members and invitations. */
import { router } from "../trpc.ts"
import { createProcedure } from "./create.ts"
import { deleteProcedure } from "./delete.ts"
import { deleteInvitationProcedure } from "./deleteInvitation.ts"
import { deleteMemberProcedure } from "./deleteMember.ts"
import { eraseProcedure } from "./erase.ts"
import { getProcedure } from "./get.ts"
import { inviteProcedure } from "./invite.ts"
import { leaveProcedure } from "./leave.ts"
import { listProcedure } from "./list.ts"
import { listAuditLogProcedure } from "./listAuditLog.ts"
import { listInvitationsProcedure } from "./listInvitations.ts"
import { listMembersProcedure } from "./listMembers.ts"
import { updateProcedure } from "./update.ts"
import { updateInvitationProcedure } from "./updateInvitation.ts"
import { updateMemberProcedure } from "./updateMember.ts"

export const workspaceRouter = router({
  create: createProcedure,
  get: getProcedure,
  list: listProcedure,
  update: updateProcedure,
  delete: deleteProcedure,
  leave: leaveProcedure,
  listMembers: listMembersProcedure,
  updateMember: updateMemberProcedure,
  deleteMember: deleteMemberProcedure,
  listInvitations: listInvitationsProcedure,
  invite: inviteProcedure,
  updateInvitation: updateInvitationProcedure,
  deleteInvitation: deleteInvitationProcedure,
  erase: eraseProcedure,
  listAuditLog: listAuditLogProcedure,
})
