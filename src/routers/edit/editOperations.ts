/** Operations on the edits of a draft. */

import { z } from "zod"
import { refuseOwnDomain } from "../../bots/domains/ownHosts.ts"
import { editDraft, takeBack } from "../../bots/edits/editDraft.ts"
import { listEdits, maxListed } from "../../db/bots/edits.ts"
import { maxEdits } from "../../engine/edit/applyEdits.ts"
import { editSchema } from "../../engine/edit/editSchema.ts"
import { longTextsIn } from "../../engine/schema/bounds.ts"
import { listOf, maxIssues } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { requireBot } from "../../people/access.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleAuthor, exampleTime, type OperationExample } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { botIdSchema, revisionSchema, timestampSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { authorMember, authorOf } from "../version/versionSchemas.ts"
import { editKindSchema, targetSchema } from "./hearBot.ts"

const operation = operationsOf("Bots")

const changeMembers = {
  botId: botIdSchema,
  revision: revisionSchema,
  changeId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Chosen by the caller, unique within the bot: a request with the id of an earlier one gets its " +
        "answer and changes nothing",
    ),
}

const editInput = z.object({
  ...changeMembers,
  edits: listOf(editSchema, maxEdits).min(1).describe("Applied one after the other"),
})

const changedSchema = namedObject("ChangedDraft", "Result of an edit", {
  revision: revisionSchema,
  updatedAt: timestampSchema("When the draft was changed"),
})

const listedEditSchema = namedObject("ListedEdit", "An edit of a draft", {
  revision: revisionSchema,
  kind: editKindSchema,
  target: targetSchema,
  at: timestampSchema("When it was made"),
  author: authorMember,
  elements: z
    .array(z.string())
    .describe(`What was touched, such as \`block:ID\`; the first ${maxListed}`),
})

const example = { revision: 2, updatedAt: exampleTime }

type Reversal = {
  operationId: string
  summary: string
  description: string
  example: OperationExample
}

/** An operation that takes something back, with an edit. */
function reversal(kind: "undo" | "redo", meta: Reversal) {
  return operation(`POST /bots/{botId}/edits/${kind}`, {
    ...meta,
    admits: "botWriters",
    errorResponses: [409],
    input: changeMembers,
    output: changedSchema,
  }).mutation(async ({ ctx, input: { botId, ...request } }) => {
    const facts = await requireBot(ctx, botId, "write")
    const reversed = await takeBack(ctx, facts, { ...request, kind, authorId: ctx.user.id })
    return presentRow(changedSchema, reversed)
  })
}

export const edits = {
  edit: operation("POST /bots/{botId}/edits", {
    operationId: "editBot",
    admits: "botWriters",
    readInput: readEdits(editInput),
    errorResponses: [409],
    summary: "Edit a draft element by element",
    description:
      "All edits are made or none, on the draft as it is now. 409 when one touches an element that was " +
      "changed after `revision`, unless that was undone: the message names it, who and when, and `revision` " +
      "is the present one. " +
      "A change of the whole draft, or a revision that is no longer kept, is such a 409 as well. " +
      "What the workspace may not have is left out, and variables that results do not store are marked: the " +
      "changes of the bot carry the edits as they landed, the caller's own with its `changeId`. " +
      "413 when the draft would be larger than 4 MB, or what would undo the edits larger than 16 MB.",
    example: {
      request: {
        revision: 1,
        edits: [{ type: "variable.put", variable: { id: "v2", name: "City" } }],
      },
      response: example,
    },
    input: editInput,
    output: changedSchema,
  }).mutation(async ({ ctx, input: { botId, ...request } }) => {
    const facts = await requireBot(ctx, botId, "write")
    for (const edit of request.edits) {
      if (edit.type === "bot.set") refuseOwnDomain(ctx.settings, edit.customDomain)
    }
    return presentRow(
      changedSchema,
      await editDraft(ctx, facts, { ...request, authorId: ctx.user.id }),
    )
  }),

  undo: reversal("undo", {
    operationId: "undoEdit",
    summary: "Undo the caller's last edit",
    description:
      "With an edit, under the same rules: 409 when others have changed what it touched. 409 when the " +
      "caller has nothing to undo, or the whole draft was changed since. The changes of the bot carry " +
      "that edit.",
    example: { request: { revision: 2 }, response: { ...example, revision: 3 } },
  }),

  redo: reversal("redo", {
    operationId: "redoEdit",
    summary: "Take back the caller's last undo",
    description: "As undo; possible until the caller makes another edit.",
    example: { request: { revision: 3 }, response: { ...example, revision: 4 } },
  }),

  listEdits: operation("GET /bots/{botId}/edits", {
    operationId: "listEdits",
    admits: "botReaders",
    summary: "List the edits of a draft",
    description: "Those of the last 30 days, newest first. Needs a role at the bot.",
    example: {
      response: {
        edits: [
          {
            revision: 2,
            kind: "edit",
            at: exampleTime,
            author: exampleAuthor,
            elements: ["variable:v2"],
          },
        ],
      },
    },
    input: { botId: botIdSchema, ...pageMembers },
    output: pageSchema.extend({ edits: z.array(listedEditSchema).describe("Newest first") }),
  }).query(async ({ ctx, input: { botId, limit, cursor } }) => {
    const facts = await requireBot(ctx, botId, "read")
    const cursors = cursorsOf(ctx, ["listEdits", botId], revisionSchema)
    const before = cursors.read(cursor)
    const { page, last } = pageOf(
      await listEdits(ctx.db, { botId, before, limit: limit + 1 }),
      limit,
    )
    const edits = page.map((row) =>
      presentRow(listedEditSchema, {
        ...row,
        at: row.createdAt,
        author: authorOf(row, { facts, user: ctx.user }),
      }),
    )
    return { edits, ...cursors.write(last?.revision) }
  }),
}

/** Reads the input of `schema`, and refuses texts that are too long. Throws a ZodError. */
function readEdits<Schema extends z.ZodType<{ edits: unknown }>>(
  schema: Schema,
): (sent: unknown) => z.output<Schema> {
  return (sent) => {
    const input = schema.parse(sent)
    const issues = longTextsIn(input.edits, maxIssues).map(
      ({ path, length, max }): z.core.$ZodIssue => {
        const message = `The text has ${length} characters, at most ${max} are allowed`
        const at = ["edits", ...path]
        return { code: "too_big", origin: "string", maximum: max, path: at, message, input: "" }
      },
    )
    if (issues.length > 0) throw new z.ZodRealError(issues)
    return input
  }
}
