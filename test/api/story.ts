/** The story that the examples of the document tell: their order, and what each needs. */
import { newId } from "../../src/lib/ids.ts"
import { exampleFlow, exampleIds } from "../../src/routers/examples.ts"
import { ask, bot, group } from "../support/bots.ts"
import { runJob } from "../support/jobs.ts"
import { publishBot } from "../support/publish.ts"
import {
  assign,
  bindings,
  chatWith,
  collectEvents,
  connectTools,
  conversation,
  database,
  dora,
  emptyBot,
  invite,
  keepDelivery,
  listen,
  live,
  nameGroups,
  post,
  server,
  share,
  subscribe,
  uploaded,
  waitingForCall,
  waitingForModel,
} from "./storyWorld.ts"

const { botId, workspaceId, sessionId, userId } = exampleIds

/** The invitations that are accepted. */
let invited: Record<string, string> = {}
let shared: Record<string, string> = {}

/** The chat in which the team answers. */
const answered: Record<string, string> = {}

/** The bot that is edited. */
const edited: Record<string, string> = {}

type Step = {
  /** Makes what the example needs and no other example makes; what it returns stands for values in it. */
  before?: () => Promise<Record<string, string>> | Promise<void>
}

/** In the order of the story, by operationId. */
export const story: Record<string, Step> = {
  getMe: {},
  updateMe: {},
  createApiToken: {},
  listApiTokens: {},
  revokeApiToken: {},
  createWorkspace: {},
  listWorkspaces: {},
  getWorkspace: {},
  listAllUsers: {},
  listAllWorkspaces: {},
  getAnyWorkspace: {},
  updateWorkspace: {},
  decideWorkspace: {},
  createInvitation: {},
  listInvitations: {},
  updateInvitation: {},
  deleteInvitation: {},
  listMembers: {
    before: async () => {
      const join =
        "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'MEMBER')"
      await database.pool.query(join, [live(workspaceId), userId])
    },
  },
  updateMember: {},
  deleteMember: {},
  listMySessions: {
    before: async () => {
      const id = newId()
      await database.pool.query(
        `insert into user_sessions (id, user_id, secret_hash, method, user_agent, expires_at)
        select $1, id, sha256(gen_random_uuid()::text::bytea), 'mail', $2, now() + interval '30 days' from users
        where email = 'ann@example.com'`,
        [id, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
      )
      bindings.bind(exampleIds.userSessionId, id)
    },
  },
  revokeMySession: {},
  listMyInvitations: {
    before: async () => {
      invited = await invite()
      return invited
    },
  },
  acceptInvitation: { before: async () => invited },
  leaveWorkspace: {
    before: async () => ({ [workspaceId]: dora.workspaceId ?? "" }),
  },
  declineInvitation: { before: invite },
  listMyBotInvitations: {
    before: async () => {
      shared = await share()
      return shared
    },
  },
  acceptBotInvitation: { before: async () => shared },
  listSharedBots: { before: async () => shared },
  declineBotInvitation: { before: share },
  createCredential: {},
  listCredentials: {},
  getCredential: {},
  listCredentialTools: { before: connectTools },
  updateCredential: {},
  deleteCredential: {},
  createVariable: {},
  listVariables: {},
  updateVariable: {},
  deleteVariable: {},
  listBlocks: {},
  listTemplates: {},
  checkPublicId: {},
  importBot: { before: subscribe },
  createBot: {},
  updateBot: {},
  listBots: {},
  getBot: {},
  lintBot: {},
  extractCredentials: {},
  testBot: {},
  duplicateBot: {},
  checkCustomDomain: {
    before: async () => {
      const made = await emptyBot()
      const customDomain = "chat.shop.example"
      const path = `/api/v1/bots/${made[botId]}`
      await server.send("PATCH", path, { body: { bot: { customDomain } } })
      return made
    },
  },
  generateGroupTitle: { before: nameGroups },
  shareBot: {},
  listCollaborators: {},
  updateCollaborator: {},
  removeCollaborator: {},
  editBot: { before: async () => Object.assign(edited, await emptyBot()) },
  listEdits: { before: async () => edited },
  undoEdit: { before: async () => edited },
  redoEdit: { before: async () => edited },
  listenForChanges: { before: emptyBot },
  setPresence: {},
  createFolder: {},
  moveBots: {},
  listFolders: {},
  updateFolder: {},
  deleteFolder: {},
  publishBot: {},
  getPublishedBot: {},
  keepVersion: {},
  listVersions: {},
  getVersion: {},
  diffVersions: {
    before: async () => {
      const path = `/api/v1/bots/${live(botId)}`
      const { body } = await server.send("GET", path)
      const groups = JSON.parse(
        JSON.stringify((body.bot as { groups: object[] }).groups).replace(
          "Your name?",
          "Who are you?",
        ),
      )
      await server.send("PATCH", path, { body: { bot: { groups } } })
    },
  },
  rollbackBot: {
    before: async () => void (await post(`/bots/${live(botId)}/publish`, {})),
  },
  listPublications: {},
  restoreDraft: {},
  startChat: {},
  getSession: {},
  updateSession: {},
  addClientLogs: {},
  continueChat: {},
  getResult: {},
  listResults: {},
  listResultColumns: {},
  listResultLogs: {},
  getResultTranscript: {},
  getResultTrace: {},
  getAnalytics: {},
  replayResults: {},
  exportResults: {},
  // Every five minutes, by a job.
  getUsage: { before: async () => void (await runJob(database, "count_usage")) },
  startPreviewChat: {},
  goBackInPreview: {
    before: async () => {
      const { botId: tried } = await publishBot(server, exampleFlow)
      const started = await post(`/bots/${tried}/preview/startChat`, {})
      const session = String(started.sessionId)
      await post(`/sessions/${session}/continueChat`, { message: "Ann" })
      return { [botId]: tried, [sessionId]: session }
    },
  },
  getConversation: {
    before: async () => void (await post(`${conversation()}/messages`, {})),
  },
  listConversations: {},
  updateConversation: {},
  replyToConversation: { before: assign },
  listConversationMessages: {},
  replyInSession: {
    before: async () =>
      Object.assign(answered, (await chatWith(bot(group("A", ask.text())))).bound),
  },
  signTyping: {},
  signTypingInSession: { before: async () => answered },
  signTypingOfPerson: { before: async () => answered },
  listenForMessages: {},
  listenForSessionMessages: { before: async () => answered },
  listSessionMessages: { before: async () => answered },
  sendConversationMessage: {
    before: async () => {
      await server.send("PATCH", `/api/v1${conversation()}`, {
        body: { state: "active" },
      })
    },
  },
  generateUploadUrl: {
    before: async () => (await chatWith(bot(group("A", ask.file())))).bound,
  },
  getPrivateFile: { before: uploaded },
  executeWebhook: {
    before: async () => (await chatWith(waitingForCall)).bound,
  },
  executeTestWebhook: {
    before: async () => {
      const { botId: waiting } = await publishBot(server, waitingForCall)
      await post(`/bots/${waiting}/preview/startChat`, {})
      return { [botId]: waiting }
    },
  },
  streamMessage: { before: waitingForModel },
  listenForEvents: {
    before: async () => {
      const { session, bound } = await chatWith(bot(group("A", ask.text())))
      await server.send("PATCH", `/api/v1/sessions/${session}`, {
        body: { state: "paused" },
      })
      return bound
    },
  },
  createWebhookEndpoint: { before: collectEvents },
  listWebhookEndpoints: {},
  getWebhookEndpoint: {},
  updateWebhookEndpoint: {},
  testWebhookEndpoint: {},
  rotateWebhookSecret: {},
  listWebhookDeliveries: { before: keepDelivery },
  redeliverWebhook: {},
  redeliverWebhooks: {},
  fetchWebhookEvents: { before: listen },
  deleteWebhookEndpoint: {},
  eraseData: {},
  listAuditLog: {},
  deleteResults: {},
  createThemeTemplate: {},
  listThemeTemplates: {},
  applyTheme: {},
  createBotFile: {},
  listBotFiles: {},
  deleteBotFile: {},
  createWorkspaceFile: {},
  listWorkspaceFiles: {},
  deleteWorkspaceFile: {},
  updateThemeTemplate: {},
  deleteThemeTemplate: {},
  decideBot: {},
  listAllBots: {},
  listDecisions: {},
  unpublishBot: {},
  leaveBot: { before: async () => shared },
  deleteBot: {},
  restoreBot: {},
  deleteWorkspace: {},
}
