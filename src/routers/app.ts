/** Every procedure of the service. */

import { bots } from "./bot/botOperations.ts"
import { checks } from "./bot/checks.ts"
import { collaborators } from "./bot/collaboratorOperations.ts"
import { checkDomainProcedure } from "./bot/customDomain.ts"
import { titleProcedure } from "./bot/groupTitle.ts"
import { making } from "./bot/making.ts"
import { getPublishedBotProcedure, publishing } from "./bot/publishOperations.ts"
import { updateProcedure } from "./bot/update.ts"
import { catalogue } from "./catalogue/catalogueOperations.ts"
import { clientLogsProcedure } from "./chat/clientLogs.ts"
import { continueProcedure } from "./chat/continue.ts"
import { webhooks } from "./chat/executeWebhook.ts"
import { previews } from "./chat/previewOperations.ts"
import { startProcedure } from "./chat/start.ts"
import { streams } from "./chat/streams.ts"
import { conversations } from "./conversation/conversationOperations.ts"
import { messageStreams } from "./conversation/messageStreams.ts"
import { replies } from "./conversation/replyOperations.ts"
import { sendMessageProcedure } from "./conversation/sendMessage.ts"
import { personTypesProcedure, typing } from "./conversation/typingOperations.ts"
import { credentials } from "./credentials/credentialOperations.ts"
import { extractProcedure } from "./credentials/extractOperation.ts"
import { toolsProcedure } from "./credentials/toolsOperation.ts"
import { changes } from "./edit/changeOperations.ts"
import { edits } from "./edit/editOperations.ts"
import { authorFiles } from "./file/authorFileOperations.ts"
import { generateUploadUrlProcedure } from "./file/generateUploadUrl.ts"
import { folders } from "./folder/folderOperations.ts"
import { operatedBots } from "./operator/botOperations.ts"
import { decisions } from "./operator/decisionOperations.ts"
import { operator } from "./operator/operatorOperations.ts"
import { analyticsProcedure } from "./result/analyticsOperations.ts"
import { columnsProcedure } from "./result/columnsOperation.ts"
import { recorded } from "./result/recordedOperations.ts"
import { replayProcedure } from "./result/replayOperation.ts"
import { results } from "./result/resultOperations.ts"
import { templateProcedures } from "./template/templateOperations.ts"
import { applyThemeProcedure, themeTemplates } from "./themeTemplate/themeTemplateOperations.ts"
import { router } from "./trpc.ts"
import { me, sessions } from "./user/me.ts"
import { ownInvitations } from "./user/ownInvitations.ts"
import { sharedBotsProcedure } from "./user/sharedBots.ts"
import { tokens } from "./user/tokenOperations.ts"
import { diffProcedure } from "./version/diffOperation.ts"
import { versions } from "./version/versionOperations.ts"
import { deliveries } from "./webhookEndpoint/deliveryOperations.ts"
import { endpoints } from "./webhookEndpoint/endpointOperations.ts"
import { eraseProcedure } from "./workspace/eraseOperation.ts"
import { members } from "./workspace/memberOperations.ts"
import { variables } from "./workspace/variableOperations.ts"
import {
  getUsageProcedure,
  listAuditLogProcedure,
  workspaces,
} from "./workspace/workspaceOperations.ts"

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
    checkDomain: checkDomainProcedure,
    generateGroupTitle: titleProcedure,
  }),
  template: router(templateProcedures),
  themeTemplate: router(themeTemplates),
  collaborator: router(collaborators),
  catalogue: router(catalogue),
  publishedBot: router({ get: getPublishedBotProcedure }),
  version: router({ ...versions, diff: diffProcedure }),
  result: router({
    ...results,
    listColumns: columnsProcedure,
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
    signTyping: personTypesProcedure,
    ...streams,
  }),
  conversation: router({
    ...conversations,
    ...replies,
    ...typing,
    ...messageStreams,
    sendMessage: sendMessageProcedure,
  }),
  folder: router(folders),
  file: router({ generateUploadUrl: generateUploadUrlProcedure, ...authorFiles }),
  credentials: router({ ...credentials, tools: toolsProcedure, extract: extractProcedure }),
  webhookEndpoint: router({ ...endpoints, ...deliveries }),
  variable: router(variables),
  user: router({
    ...me,
    ...tokens,
    ...sessions,
    ...ownInvitations,
    listSharedBots: sharedBotsProcedure,
  }),
  operator: router({ ...operator, ...operatedBots, ...decisions }),
  billing: router({ getUsage: getUsageProcedure }),
})

/** The type that clients are typed by. */
export type AppRouter = typeof appRouter

export type { UnknownBlockType } from "../engine/blocks/registry.ts"
export type { Edit } from "../engine/edit/editSchema.ts"
export type { ParleyErrorCode } from "../lib/errors.ts"
