/** Every procedure of the service. */
import { getUsageProcedure } from "./billing/getUsage.ts"
import { bots } from "./bot/bots.ts"
import { collaborators } from "./bot/collaborators.ts"
import { createProcedure } from "./bot/create.ts"
import { duplicateProcedure } from "./bot/duplicate.ts"
import { importProcedure } from "./bot/import.ts"
import { lintProcedure } from "./bot/lint.ts"
import { publishing } from "./bot/publish.ts"
import { testProcedure } from "./bot/test.ts"
import { updateProcedure } from "./bot/update.ts"
import { catalogue } from "./catalogue/catalogue.ts"
import { clientLogsProcedure } from "./chat/clientLogs.ts"
import { continueProcedure } from "./chat/continue.ts"
import { webhooks } from "./chat/executeWebhook.ts"
import { previewBackProcedure } from "./chat/previewBack.ts"
import { startProcedure } from "./chat/start.ts"
import { startPreviewProcedure } from "./chat/startPreview.ts"
import { streams } from "./chat/streams.ts"
import {
  conversations,
  listProcedure as listConversationsProcedure,
} from "./conversation/conversations.ts"
import { sendMessageProcedure } from "./conversation/sendMessage.ts"
import { credentials } from "./credentials/credentials.ts"
import { changes } from "./edit/changes.ts"
import { edits } from "./edit/edits.ts"
import { authorFiles } from "./file/authorFiles.ts"
import { generateUploadUrlProcedure } from "./file/generateUploadUrl.ts"
import { folders } from "./folder/folders.ts"
import { getProcedure as getPublishedBotProcedure } from "./publishedBot/get.ts"
import { analyticsProcedure } from "./result/analytics.ts"
import { deleteProcedure as deleteResultsProcedure } from "./result/delete.ts"
import { replayProcedure } from "./result/replay.ts"
import { results } from "./result/results.ts"
import { traceProcedure } from "./result/trace.ts"
import { transcriptProcedure } from "./result/transcript.ts"
import { applyThemeProcedure, themeTemplates } from "./themeTemplate/themeTemplates.ts"
import { router } from "./trpc.ts"
import { botInvitations } from "./user/botInvitations.ts"
import { ownInvitations } from "./user/invitations.ts"
import { me } from "./user/me.ts"
import { sessions } from "./user/sessions.ts"
import { sharedBotsProcedure } from "./user/sharedBots.ts"
import { tokens } from "./user/tokens.ts"
import { diffProcedure } from "./version/diff.ts"
import { publications, versions } from "./version/versions.ts"
import { deliveries } from "./webhookEndpoint/deliveries.ts"
import { endpoints } from "./webhookEndpoint/endpoints.ts"
import { fetchEventsProcedure } from "./webhookEndpoint/fetchEvents.ts"
import { eraseProcedure } from "./workspace/erase.ts"
import { listAuditLogProcedure } from "./workspace/listAuditLog.ts"
import { invitations, members } from "./workspace/members.ts"
import { workspaces } from "./workspace/workspaces.ts"

export const appRouter = router({
  workspace: router({
    ...workspaces,
    ...members,
    ...invitations,
    erase: eraseProcedure,
    listAuditLog: listAuditLogProcedure,
  }),
  bot: router({
    ...bots,
    ...publishing,
    ...edits,
    ...changes,
    import: importProcedure,
    update: updateProcedure,
    create: createProcedure,
    duplicate: duplicateProcedure,
    applyTheme: applyThemeProcedure,
    lint: lintProcedure,
    test: testProcedure,
  }),
  themeTemplate: router(themeTemplates),
  collaborator: router(collaborators),
  catalogue: router(catalogue),
  publishedBot: router({ get: getPublishedBotProcedure }),
  version: router({ ...versions, ...publications, diff: diffProcedure }),
  result: router({
    ...results,
    replay: replayProcedure,
    transcript: transcriptProcedure,
    trace: traceProcedure,
    delete: deleteResultsProcedure,
    analytics: analyticsProcedure,
  }),
  chat: router({
    start: startProcedure,
    continue: continueProcedure,
    startPreview: startPreviewProcedure,
    previewBack: previewBackProcedure,
    ...webhooks,
    addClientLogs: clientLogsProcedure,
    ...streams,
  }),
  conversation: router({
    ...conversations,
    list: listConversationsProcedure,
    sendMessage: sendMessageProcedure,
  }),
  folder: router(folders),
  file: router({ generateUploadUrl: generateUploadUrlProcedure, ...authorFiles }),
  credentials: router(credentials),
  webhookEndpoint: router({ ...endpoints, ...deliveries, fetchEvents: fetchEventsProcedure }),
  user: router({
    ...me,
    ...tokens,
    ...sessions,
    ...ownInvitations,
    ...botInvitations,
    listSharedBots: sharedBotsProcedure,
  }),
  billing: router({ getUsage: getUsageProcedure }),
})

/** The type that clients are typed by. */
export type AppRouter = typeof appRouter

export type { UnknownBlockType } from "../engine/blocks/registry.ts"
export type { Edit } from "../engine/edit/editSchema.ts"
export type { ParleyErrorCode } from "../errors.ts"
