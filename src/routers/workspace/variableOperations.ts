/** Operations on the variables of a workspace; secrets are never in responses. */
import { z } from "zod"
import type { Source } from "../../db/connection/openDatabase.ts"
import {
  deleteVariable,
  insertVariable,
  listVariables,
  maxVariables,
  type StoredValue,
  updateVariable,
  type VariableRow,
} from "../../db/people/workspaceVariables.ts"
import { minWordLength } from "../../effects/credentials/createRedaction.ts"
import { openSecret, sealedFor } from "../../effects/variables/workspaceVariables.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, badRequest, notFound, orNotFound } from "../../lib/errors.ts"
import { editWorkspace, requireWorkspace } from "../../people/access.ts"
import type { Context } from "../context.ts"
import { exampleDates, exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { done, doneSchema, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

const operation = operationsOf("Workspaces")

/** Max characters of a value. */
const maxValueLength = 10_000

const nameSchema = z
  .string()
  .regex(/^[A-Za-z_]\w{0,63}$/, "must be up to 64 letters, digits and `_`, not first a digit")
  .describe("Name without the dollar sign: texts write `{{$name}}`")

const valueSchema = z
  .string()
  .max(maxValueLength)
  .describe(`Value; that of a secret has at least ${minWordLength} characters`)

const isSecretSchema = z
  .boolean()
  .describe("Whether it is a secret, which leaves the service in requests and mails alone")

const variableSchema = namedObject("WorkspaceVariable", "A variable of a workspace", {
  name: z.string().describe("Name without the dollar sign"),
  value: z.string().optional().describe("Value; absent: it is a secret"),
  isSecret: z.boolean().describe("Whether it is a secret"),
  createdAt: timestampSchema("When it was created"),
  updatedAt: timestampSchema("When it was last changed"),
})

const addressSchema = z.object({
  workspaceId: workspaceIdSchema,
  variableName: z.string().min(1).max(64).describe("Name of the variable"),
})

const exampleVariable = {
  name: exampleIds.variableName,
  value: "https://shop.example",
  isSecret: false,
  ...exampleDates,
}

export const variables = {
  create: operation("POST /workspaces/{workspaceId}/variables", {
    operationId: "createVariable",
    admits: "workspaceEditors",
    errorResponses: [409],
    summary: "Create a variable of a workspace",
    description:
      "All bots of the workspace read it as `{{$name}}`. A secret is stored encrypted and is in no response; " +
      "bots send it in HTTP requests of the service, in subjects and bodies of mails and in requests of " +
      "scripts, and it shows as `•••` everywhere else. Whoever may change a bot can send it anywhere. " +
      `At most ${maxVariables} per workspace.`,
    example: {
      request: { name: exampleVariable.name, value: exampleVariable.value },
      response: { variable: exampleVariable },
    },
    input: {
      workspaceId: workspaceIdSchema,
      name: nameSchema,
      value: valueSchema,
      isSecret: isSecretSchema.default(false),
    },
    output: { variable: variableSchema },
  }).mutation(async ({ ctx, input: { workspaceId, name, value, isSecret } }) => {
    const stored = storedAs(ctx, { workspaceId, name, value, isSecret })
    const row = await editWorkspace(ctx, workspaceId, async (locked) => {
      const present = await listVariables(locked, workspaceId)
      if (present.some((each) => each.name === name)) throw taken(name)
      if (present.length >= maxVariables) throw tooMany
      return await insertVariable(locked, { workspaceId, name, ...stored })
    })
    await ctx.chat.variables.changed(workspaceId)
    return { variable: presentVariable(row) }
  }),

  list: operation("GET /workspaces/{workspaceId}/variables", {
    operationId: "listVariables",
    admits: "workspaceEditors",
    summary: "List the variables of a workspace",
    description: `By name, at most ${maxVariables}. Secrets have no value here.`,
    example: { response: { variables: [exampleVariable] } },
    input: { workspaceId: workspaceIdSchema },
    output: { variables: z.array(variableSchema).describe("The variables, by name") },
  }).query(async ({ ctx, input: { workspaceId } }) => {
    await requireWorkspace(ctx, workspaceId, "edit")
    const rows = await listVariables(ctx.db, workspaceId)
    return { variables: rows.map(presentVariable) }
  }),

  update: operation("PATCH /workspaces/{workspaceId}/variables/{variableName}", {
    operationId: "updateVariable",
    admits: "workspaceEditors",
    summary: "Change a variable of a workspace",
    description:
      "Members left out stay as they are. Running chats read the new value within five seconds. A secret " +
      "becomes a plain variable only together with a new value.",
    example: {
      request: { value: "https://shop.example/sale" },
      response: { variable: { ...exampleVariable, value: "https://shop.example/sale" } },
    },
    input: addressSchema.extend({
      value: valueSchema.optional(),
      isSecret: isSecretSchema.optional(),
    }),
    output: { variable: variableSchema },
  }).mutation(async ({ ctx, input: { workspaceId, variableName: name, value, isSecret } }) => {
    const row = await editWorkspace(ctx, workspaceId, async (locked) => {
      const present = await requireVariable(locked, { workspaceId, name })
      const wasSecret = present.value === null
      if (value === undefined && wasSecret && isSecret === false) throw wouldReveal
      const after = value ?? present.value ?? openSecret(present, ctx.cipher)
      // A secret whose key is lost stays as it is.
      if (after === undefined) return present
      const next = { workspaceId, name, value: after, isSecret: isSecret ?? wasSecret }
      return orNotFound(
        await updateVariable(locked, { workspaceId, name }, storedAs(ctx, next)),
        "Variable",
      )
    })
    await ctx.chat.variables.changed(workspaceId)
    return { variable: presentVariable(row) }
  }),

  delete: operation("DELETE /workspaces/{workspaceId}/variables/{variableName}", {
    operationId: "deleteVariable",
    admits: "workspaceEditors",
    summary: "Delete a variable of a workspace",
    description: "Texts that name it show nothing in its place.",
    example: { response: done },
    input: addressSchema,
    output: doneSchema,
  }).mutation(async ({ ctx, input: { workspaceId, variableName: name } }) => {
    await editWorkspace(ctx, workspaceId, async (locked) => {
      if (!(await deleteVariable(locked, { workspaceId, name }))) throw notFound("Variable")
      return true
    })
    await ctx.chat.variables.changed(workspaceId)
    return done
  }),
}

function taken(name: string): AppError {
  return new AppError("VARIABLE_EXISTS", `The workspace has a variable "${name}" already`)
}

const tooMany = new AppError(
  "VARIABLE_LIMIT_REACHED",
  `A workspace has at most ${maxVariables} variables`,
  { data: { limit: maxVariables } },
)

const wouldReveal = badRequest("A secret becomes a plain variable only together with a new value", [
  {
    code: "invalid_value",
    path: ["value"],
    message: "is required to turn a secret into a plain variable",
  },
])

async function requireVariable(
  locked: Source,
  { workspaceId, name }: Pick<VariableRow, "workspaceId" | "name">,
): Promise<VariableRow> {
  const rows = await listVariables(locked, workspaceId)
  return orNotFound(
    rows.find((row) => row.name === name),
    "Variable",
  )
}

type Given = { workspaceId: string; name: string; value: string; isSecret: boolean }

/** The members to store; throws a 400 for a secret that is too short to be told from other words. */
function storedAs(
  { cipher }: Pick<Context, "cipher">,
  { workspaceId, name, value, isSecret }: Given,
): StoredValue {
  if (!isSecret) return { value, data: null, nonce: null, keyId: null }
  if (value.trim().length >= minWordLength)
    return { value: null, ...cipher.seal(sealedFor(workspaceId, name), value) }
  const message = `must have at least ${minWordLength} characters besides spaces`
  throw badRequest(`The value of a secret ${message}`, [
    { code: "too_small", path: ["value"], message },
  ])
}

function presentVariable(row: VariableRow) {
  return presentRow(variableSchema, { ...row, isSecret: row.value === null })
}
