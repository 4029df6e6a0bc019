/** Every procedure of the service. */

import { bots } from "./bot/bots.ts"
import { checks } from "./bot/checks.ts"
import { collaborators } from "./bot/collaborators.ts"
import { making } from "./bot/making.ts"
import { getPublishedBotProcedure, publishing } from "./bot/publish.ts"
import { updateProcedure } from "./bot/update.ts"
import { catalogue } from "./catalogue/catalogue.ts"
import { clientLogsProcedure } from "./chat/clientLogs.ts"
import { continueProcedure } from "./chat/continue.ts"
import { webhooks } from "./chat/executeWebhook.ts"
import { previews } from "./chat/previews.ts"
import { startProcedure } from "./chat/start.ts"
import { streams } from "./chat/streams.ts"
import { conversations } from "./conversation/conversations.ts"
import { sendMessageProcedure } from "./conversation/sendMessage.ts"
import { credentials } from "./credentials/credentials.ts"
import { changes } from "./edit/changes.ts"
import { edits } from "./edit/edits.ts"
import { authorFiles } from "./file/authorFiles.ts"
import { generateUploadUrlProcedure } from "./file/generateUploadUrl.ts"
import { folders } from "./folder/folders.ts"
import { analyticsProcedure } from "./result/analytics.ts"
import { recorded } from "./result/recorded.ts"
import { replayProcedure } from "./result/replay.ts"
import { results } from "./result/results.ts"
import { applyThemeProcedure, themeTemplates } from "./themeTemplate/themeTemplates.ts"
import { router } from "./trpc.ts"
import { me, sessions } from "./user/me.ts"
import { ownInvitations } from "./user/ownInvitations.ts"
import { sharedBotsProcedure } from "./user/sharedBots.ts"
import { tokens } from "./user/tokens.ts"
import { diffProcedure } from "./version/diff.ts"
import { versions } from "./version/versions.ts"
import { deliveries } from "./webhookEndpoint/deliveries.ts"
import { endpoints } from "./webhookEndpoint/endpoints.ts"
import { eraseProcedure } from "./workspace/erase.ts"
import { members } from "./workspace/members.ts"
import { getUsageProcedure, listAuditLogProcedure, workspaces } from "./workspace/workspaces.ts"

export const appRouter = router({
  workspace: router({
    ...workspaces,
    ...members,
    erase: eraseProcedure,
    listAuditLog: listAuditLogProcedure,
  }),
  bot: router({
    ...bots,
    ...publishing,
    ...edits,
    ...changes,
    ...making,
    update: updateProcedure,
    applyTheme: applyThemeProcedure,
    ...checks,
  }),
  themeTemplate: router(themeTemplates),
  collaborator: router(collaborators),
  catalogue: router(catalogue),
  publishedBot: router({ get: getPublishedBotProcedure }),
  version: router({ ...versions, diff: diffProcedure }),
  result: router({
    ...results,
    replay: replayProcedure,
    ...recorded,
    analytics: analyticsProcedure,
  }),
  chat: router({
    start: startProcedure,
    continue: continueProcedure,
    ...previews,
    ...webhooks,
    addClientLogs: clientLogsProcedure,
    ...streams,
  }),
  conversation: router({
    ...conversations,
    sendMessage: sendMessageProcedure,
  }),
  folder: router(folders),
  file: router({ generateUploadUrl: generateUploadUrlProcedure, ...authorFiles }),
  credentials: router(credentials),
  webhookEndpoint: router({ ...endpoints, ...deliveries }),
  user: router({
    ...me,
    ...tokens,
    ...sessions,
    ...ownInvitations,
    listSharedBots: sharedBotsProcedure,
  }),
  billing: router({ getUsage: getUsageProcedure }),
})

/** The type that clients are typed by. */
export type AppRouter = typeof appRouter

export type { UnknownBlockType } from "../engine/blocks/registry.ts"
export type { Edit } from "../engine/edit/editSchema.ts"
export type { ParleyErrorCode } from "../errors.ts"
