/** The examples of the document: one bot, from its workspace to a recorded answer. */

type Json = Record<string, unknown>

/** The bodies of an operation's request and response; absent: there is no example. */
type OperationExample = { request?: Json; response?: Json }

const createdAt = "2026-05-22T08:15:30.123Z"
const workspaceId = "k2b7q0v1x9m4c8n5z3a6s1d0"
const botId = "p9s8d7f6g5h4j3k2l1q0w9e8"
const resultId = "01977a52-6f1b-7c3d-9e2a-4b5c6d7e8f90"
const sessionId = "01977a526f1b7c3d9e2a4b5c6d7e8f90Tq8ZrX2mVb4NcK1LpW7yDs"

const text = (words: string) => ({
  type: "richText",
  richText: [{ type: "p", children: [{ text: words }] }],
})

const place = { x: 0, y: 0 }

const events = [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }]
const edges = [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g1" } }]
const variables = [{ id: "v1", name: "Name" }]
const groups = [
  {
    id: "g1",
    title: "Sign up",
    graphCoordinates: { x: 300, y: 0 },
    blocks: [
      { id: "b1", type: "text", content: { richText: text("Your name?").richText } },
      { id: "b2", type: "text input", options: { variableId: "v1" } },
      { id: "b3", type: "text", content: { richText: text("Thanks, {{Name}}!").richText } },
    ],
  },
]

const flow = { version: "6.1", name: "Newsletter", events, groups, edges, variables }
const look = { theme: {}, settings: {} }

const member = {
  workspaceId,
  userId: "u4t6r8e0w2q1a3s5d7f9g0h2",
  role: "MEMBER",
  user: { name: "Ann", email: "ann@example.com", image: null },
}

const invitation = {
  id: "i1n3v5i7t9e0b2o4b6x8y1z3",
  email: "bob@example.com",
  type: "MEMBER",
  createdAt,
  updatedAt: createdAt,
}

const ownInvitation = {
  id: invitation.id,
  type: "MEMBER",
  workspace: { id: workspaceId, name: "Shop", icon: null },
  createdAt,
  updatedAt: createdAt,
}

const bot = {
  ...flow,
  ...look,
  id: botId,
  workspaceId,
  createdAt,
  updatedAt: createdAt,
  icon: null,
  folderId: null,
  publicId: "newsletter",
  customDomain: null,
  selectedThemeTemplateId: null,
  resultsTablePreferences: null,
  isArchived: false,
  isClosed: false,
  whatsAppCredentialsId: null,
  riskLevel: null,
}

const result = {
  id: resultId,
  createdAt,
  botId,
  variables: [{ id: "v1", name: "Name", value: "Ann" }],
  isCompleted: true,
  hasStarted: true,
  isArchived: false,
  lastChatSessionId: sessionId,
  answers: [{ blockId: "b2", content: "Ann" }],
}

const question = {
  messages: [{ id: "b1", type: "text", content: text("Your name?") }],
  input: { id: "b2", type: "text input", options: { variableId: "v1" } },
}

/** By operationId. */
export const examples: Readonly<Record<string, OperationExample>> = {
  createWorkspace: { request: { name: "Shop", icon: "🛍️" } },
  updateWorkspace: { request: { name: "Shop", icon: null } },
  listMembers: { response: { members: [member] } },
  updateMember: { request: { role: "ADMIN" }, response: { message: "success" } },
  listInvitations: { response: { invitations: [invitation] } },
  createInvitation: {
    request: { email: "bob@example.com", type: "MEMBER" },
    response: { invitation },
  },
  listMyInvitations: { response: { invitations: [ownInvitation] } },
  acceptInvitation: { response: { member } },
  updateInvitation: { request: { type: "GUEST" }, response: { message: "success" } },
  getUsage: { response: { totalChatsUsed: 128, resetsAt: "2026-06-01T00:00:00.000Z" } },
  importBot: { request: { workspaceId, bot: flow }, response: { bot } },
  createBot: { request: { workspaceId, bot: { name: "Newsletter" } } },
  getBot: { response: { bot, currentUserMode: "write" } },
  updateBot: {
    request: { bot: { publicId: "newsletter", updatedAt: createdAt } },
    response: { bot },
  },
  publishBot: {
    request: { note: "Asks for the name first" },
    response: { message: "success", publicId: "newsletter", version: 1, versionNumber: 1 },
  },
  getResult: { response: { result } },
  startChat: {
    request: { prefilledVariables: { Name: "Ann" }, textBubbleContentFormat: "richText" },
    response: {
      sessionId,
      resultId,
      bot: { id: botId, version: "6.1", ...look, publishedAt: createdAt },
      ...question,
    },
  },
  continueChat: {
    request: { message: { type: "text", text: "Ann" } },
    response: {
      messages: [{ id: "b3", type: "text", content: text("Thanks, Ann!") }],
      clientSideActions: [],
      logs: [],
    },
  },
  startPreviewChat: {
    request: { bot: flow, startFrom: { type: "group", groupId: "g1" } },
    response: {
      sessionId: "pT8ZrX2mVb4NcK1LpW7yDsQ0aEfGh",
      bot: { id: botId, version: "6.1", ...look },
      ...question,
    },
  },
  createApiToken: { request: { name: "Continuous integration" } },
}
