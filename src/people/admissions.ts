/** The words for who an operation is for; each declares one, and test/security/rights.test.ts tries them. */

/** Who is admitted, by word. Others get 401 without a valid token, else 404 unless it says 403. */
export const admissions = {
  anybody: "Public: no token needed",
  visitors: "Public: no token needed; 403 while the workspace is suspended",
  accounts: "Any token",
  itsAccount: "The account that it belongs to, or is addressed to",
  workspaceViewers: "Members of the workspace in any role, also while it is suspended",
  workspaceListers: "Members of the workspace in any role, not while it is suspended",
  workspaceStaff: "Members of the workspace but GUESTs, also while it is suspended",
  workspaceEditors: "ADMINs and MEMBERs of the workspace, not while it is suspended",
  workspaceAdmins: "ADMINs of the workspace, also while it is suspended; 403 for other members",
  botViewers:
    "People with a role at the bot, and everybody with a token while it is shared publicly",
  botReaders: "ADMINs and MEMBERs of its workspace, and collaborators",
  botWriters: "ADMINs and MEMBERs of its workspace, and collaborators who may change it",
  botEditors: "ADMINs and MEMBERs of its workspace, not while it is suspended",
  botCollaborators: "Collaborators: people with whom the bot is shared",
  flowPreviewers:
    "Without a token: public, in a restricted preview. With one: botWriters, and 403 for botReaders",
  operators: "Operators of the service; for all others, the path is unknown",
} as const satisfies Readonly<Record<string, string>>

/** Who an operation is for. */
export type Admission = keyof typeof admissions
