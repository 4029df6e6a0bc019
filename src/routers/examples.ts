/**
 * The one story of the examples of all operations: Ann's shop has a bot that asks for names. What
 * several examples show is here; each operation has the rest in its own description.
 */

/** Request and response of an operation, for the document; a test sends it and compares the answer. */
export type OperationExample = {
  /** Values in the path that are not those of `exampleIds`. */
  path?: Readonly<Record<string, string>>
  /** Values in the query; absent: none. */
  query?: Readonly<Record<string, string | number | boolean>>
  /** The body; absent: none. */
  request?: object
  response: object
}

/** Ids by the names that they have in paths. */
export const exampleIds = {
  workspaceId: "k2b7q0v1x9m4c8n5z3a6s1d0",
  botId: "p9s8d7f6g5h4j3k2l1q0w9e8",
  publicId: "newsletter",
  number: 1,
  groupId: "g1",
  blockId: "b2",
  resultId: "019e4ec0-f94b-7c3d-9e2a-4b5c6d7e8f90",
  sessionId: "019e4ec0f94b7c3d9e2a4b5c6d7e8f90Tq8ZrX2mVb4NcK1LpW7yDs",
  key: "whatsapp:5511999",
  userId: "u4t6r8e0w2q1a3s5d7f9g0h2",
  invitationId: "i1n3v5i7t9e0b2o4b6x8y1z3",
  collaboratorId: "o1l3l5a7b9o0r2a4t6o8r1x3",
  credentialsId: "c7r5e3d1e9n8t6i4a2l0x1y2",
  endpointId: "e2n4d6p8o0i1n3t5w7e9b0h2",
  deliveryId: "019e4ec0-f94b-7a11-8b22-3c33d44e55f6",
  tokenId: "t3o5k7e9n1i2d4x6y8z0a1b2",
  fileId: "f4i5l6e7o8f9a0u1t2h3o4r5",
  templateId: "t5h4e3m2e1t6e7m8p9l0a1t2",
  userSessionId: "w5e7b9s1e3s5s7i9o1n3a5b7",
  folderId: "f8o0l2d4e6r1i3n5a7b9o1x2",
  folder: "5d41402abc4b2a76b9719d911017c592",
  fileName: "note.txt",
  variableName: "shopUrl",
} as const

/** A workspace of another user and a bot in it, to which the caller of the examples is invited. */
export const exampleBakery = { id: "b1a2k3e4r5y6w7x8y9z0a1b2", name: "Bakery", icon: null }
export const exampleOrders = { id: "o1r2d3e4r5s6b7o8t9x0y1z2", name: "Orders", icon: null }

/** When everything in the examples happened. */
export const exampleTime = "2026-05-22T08:15:30.123Z"

/** The caller of all examples. */
export const exampleCaller = { id: "a1n3n5u7s9e0r2i4d6x8y1z3", email: "ann@example.com" }

const place = { x: 0, y: 0 }

/** A flow that asks for a name. */
export const exampleFlow = {
  version: "6.1",
  name: "Newsletter",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }],
  groups: [
    {
      id: "g1",
      title: "Sign up",
      graphCoordinates: { x: 300, y: 0 },
      blocks: [
        {
          id: "b1",
          type: "text",
          content: { richText: [{ type: "p", children: [{ text: "Your name?" }] }] },
        },
        { id: "b2", type: "text input", options: { variableId: "v1" } },
        {
          id: "b3",
          type: "text",
          content: { richText: [{ type: "p", children: [{ text: "Thanks, {{Name}}!" }] }] },
        },
      ],
    },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g1" } }],
  variables: [{ id: "v1", name: "Name" }],
}

const { name: _name, ...drawn } = exampleFlow

/** The same flow as the service stores it. */
export const exampleStored = {
  ...drawn,
  variables: [{ id: "v1", name: "Name", isSessionVariable: false }],
  theme: {},
  settings: {},
}

/** Creation time of new things. */
export const exampleDates = { createdAt: exampleTime, updatedAt: exampleTime }

export const exampleBot = {
  ...exampleStored,
  ...exampleDates,
  id: exampleIds.botId,
  workspaceId: exampleIds.workspaceId,
  name: "Newsletter",
  icon: null,
  folderId: null,
  publicId: exampleIds.publicId,
  customDomain: null,
  selectedThemeTemplateId: null,
  resultsTablePreferences: null,
  isArchived: false,
  isClosed: false,
  whatsAppCredentialsId: null,
  riskLevel: null,
  revision: 1,
}

/** Who made the versions of the bot. */
export const exampleAuthor = { ...exampleCaller, name: "Ann" }

/** The workspace when it is new. */
export const exampleWorkspace = {
  ...exampleDates,
  id: exampleIds.workspaceId,
  name: "Shop",
  icon: "🛍️",
  plan: "UNLIMITED",
  stripeId: null,
  settings: null,
  isSuspended: false,
  isPastDue: false,
  isVerified: null,
  chatsHardLimit: null,
  lastActivityAt: null,
  inactiveFirstEmailSentAt: null,
  inactiveSecondEmailSentAt: null,
}

const textOf = (...pieces: string[]) => ({
  type: "richText",
  richText: [{ type: "p", children: pieces.map((text) => ({ text })) }],
})

/** The first message of the flow, and its question. */
export const exampleQuestion = {
  messages: [{ id: "b1", type: "text", content: textOf("Your name?") }],
  input: { id: exampleIds.blockId, type: "text input", options: { variableId: "v1" } },
}

/** The reply to the name, which ends the flow. */
export const exampleThanks = {
  messages: [{ id: "b3", type: "text", content: textOf("Thanks, ", "Ann", "!") }],
  clientSideActions: [],
  logs: [],
}
