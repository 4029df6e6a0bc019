/** Operations on the people with whom a bot is shared. */

import { z } from "zod"
import { withLockedBot } from "../../db/bots/withLockedBot.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { insertBotInvitation, withdrawBotInvitation } from "../../db/people/botInvitations.ts"
import {
  type Collaborator,
  deleteCollaborator,
  findStanding,
  listCollaborators,
  updateCollaborator,
} from "../../db/people/collaborators.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, notFound, orNotFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { isEditor, requireBot } from "../../people/access.ts"
import { exampleDates, exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { botIdSchema, done, timestampSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { invitedEmailSchema } from "../workspace/memberOperations.ts"

const operation = operationsOf("Bots")

/** Max collaborators, invitations included: lists have no pages. */
const maxCollaborators = 100

/** The role of a collaborator. */
export const collaborationSchema = z.enum(["READ", "WRITE"]).meta({
  id: "CollaborationType",
  description:
    "`READ`: see the bot, its versions and its results; `WRITE`: also change, publish and delete it",
})

const collaboratorSchema = namedObject("Collaborator", "A person with whom a bot is shared", {
  id: z.string().describe("Id of the user; while the person is invited, of the invitation"),
  email: z.string().describe("Email address, in lower case"),
  name: z.string().nullable().describe("Name; null: unknown"),
  image: z.string().nullable().describe("Address of a picture; null: none"),
  type: collaborationSchema,
  isPending: z.boolean().describe("Whether the person has not accepted yet"),
  createdAt: timestampSchema("When the person was invited, or has accepted"),
  updatedAt: timestampSchema("When that was last changed"),
})

const addressSchema = z.object({
  botId: botIdSchema,
  collaboratorId: z.string().min(1).max(255).describe("Id of the collaborator in the list"),
})

const exampleCollaborator = {
  id: exampleIds.collaboratorId,
  email: "bob@example.com",
  name: null,
  image: null,
  type: "WRITE" as const,
  isPending: true,
  ...exampleDates,
}

export const collaborators = {
  list: operation("GET /bots/{botId}/collaborators", {
    operationId: "listCollaborators",
    admits: "botEditors",
    scope: "admin",
    summary: "List with whom a bot is shared",
    description:
      "For ADMINs and MEMBERs of its workspace. Collaborators, and people who are invited, oldest first: " +
      `at most ${maxCollaborators}.`,
    example: { response: { collaborators: [exampleCollaborator] } },
    input: { botId: botIdSchema },
    output: { collaborators: z.array(collaboratorSchema).describe("Oldest first") },
  }).query(async ({ ctx, input: { botId } }) => {
    await requireBot(ctx, botId, "share")
    const rows = await listCollaborators(ctx.db, botId)
    return { collaborators: rows.map(present) }
  }),

  share: operation("POST /bots/{botId}/collaborators", {
    operationId: "shareBot",
    admits: "botEditors",
    scope: "admin",
    summary: "Share a bot",
    description:
      "Invites a person to work on this bot and nothing else of its workspace. The person accepts or " +
      "declines under `/users/me/botInvitations`, whenever they get their account; no email is sent. For " +
      `ADMINs and MEMBERs. A bot is shared with at most ${maxCollaborators} people; they take no seats.`,
    example: {
      request: { email: exampleCollaborator.email, type: "WRITE" },
      response: { collaborator: exampleCollaborator },
    },
    input: { botId: botIdSchema, email: invitedEmailSchema, type: collaborationSchema },
    output: { collaborator: collaboratorSchema },
  }).mutation(async ({ ctx, input: { botId, email, type } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    await requireBot(ctx, botId, "share")
    const invitation = await withLockedBot(ctx.db, { botId }, async (locked) => {
      await requireInvitable(locked, { botId, email })
      return await insertBotInvitation(locked, { id: newId(), botId, email, type })
    })
    const unnamed = { name: null, image: null, isPending: true }
    return { collaborator: present({ ...orNotFound(invitation, "Bot"), ...unnamed }) }
  }),

  update: operation("PATCH /bots/{botId}/collaborators/{collaboratorId}", {
    operationId: "updateCollaborator",
    admits: "botEditors",
    scope: "admin",
    summary: "Change what a collaborator may do",
    description: "For ADMINs and MEMBERs of its workspace. Applies at once.",
    example: { request: { type: "READ" }, response: done },
    input: addressSchema.extend({ type: collaborationSchema }),
  }).mutation(async ({ ctx, input: { type, ...address } }) => {
    await requireBot(ctx, address.botId, "share")
    if (!(await updateCollaborator(ctx.db, address, type))) throw notFound("Collaborator")
    return done
  }),

  remove: operation("DELETE /bots/{botId}/collaborators/{collaboratorId}", {
    operationId: "removeCollaborator",
    admits: "botEditors",
    scope: "admin",
    summary: "Stop sharing a bot with a person",
    description:
      "For ADMINs and MEMBERs of its workspace. Ends the collaboration and its previews at once, or " +
      "withdraws the invitation.",
    input: addressSchema,
  }).mutation(async ({ ctx, input: { botId, collaboratorId } }) => {
    await requireBot(ctx, botId, "share")
    const isGone =
      (await withdrawBotInvitation(ctx.db, { botId, invitationId: collaboratorId })) ||
      (await deleteCollaborator(ctx.db, { botId, userId: collaboratorId }))
    if (!isGone) throw notFound("Collaborator")
    return done
  }),
}

/** Throws a 400 for those who are there already, and for one too many. */
async function requireInvitable(locked: Db, invited: { botId: string; email: string }) {
  const standing = await findStanding(locked, invited)
  if (standing === undefined) return
  if (isEditor(standing)) throw new AppError("MEMBER_EXISTS", "Already a member of the workspace")
  if (standing.isCollaborator)
    throw new AppError("COLLABORATOR_EXISTS", "The bot is shared with this person already")
  if (standing.isInvited) throw new AppError("INVITATION_EXISTS", "Already invited")
  if (standing.people < maxCollaborators) return
  throw new AppError(
    "COLLABORATOR_LIMIT_REACHED",
    `A bot is shared with at most ${maxCollaborators} people`,
    { data: { limit: maxCollaborators } },
  )
}

function present(row: Collaborator): z.infer<typeof collaboratorSchema> {
  return presentRow(collaboratorSchema, { ...row, type: row.type === "READ" ? "READ" : "WRITE" })
}
