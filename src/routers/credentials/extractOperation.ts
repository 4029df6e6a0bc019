/** POST /api/v1/bots/{botId}/credentials/extract */
import { z } from "zod"
import { pointerOf } from "../../authoring/lint/location.ts"
import { type ExtractedCredential, extractCredentials } from "../../bots/extractCredentials.ts"
import { flowOfDraft } from "../../bots/storedFlow.ts"
import { extractionOf } from "../../effects/credentials/extractionOf.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { requireBotWithFlow } from "../../people/access.ts"
import { dryRunFlag } from "../bot/findingSchemas.ts"
import { botIdSchema, revisionSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

const extractedSchema = namedObject(
  "ExtractedCredential",
  "A credential made of a secret of a bot",
  {
    credentialsId: z.string().optional().describe("Id of the credential; absent in a dry run"),
    name: z.string().describe("Name, such as `Authorization for api.example.com`"),
    auth: z.enum(["bearer", "basic", "header", "query"]).describe("How it signs requests"),
    allowedHosts: z.array(z.string()).describe("The hosts of the blocks that had the secret"),
    pointers: z.array(z.string()).describe("Where the secret was, as JSON Pointers from the bot"),
  },
)

const skippedSchema = namedObject("SkippedSecret", "A secret that stays in the bot", {
  pointer: z.string().describe("JSON Pointer to the secret, from the bot"),
  place: z.string().describe("Where to find it in the builder"),
  reason: z.string().describe("Why it stays"),
})

export const extractProcedure = operationsOf("Credentials")(
  "POST /bots/{botId}/credentials/extract",
  {
    operationId: "extractCredentials",
    admits: "botEditors",
    errorResponses: [409],
    summary: "Move secrets of a bot into credentials",
    description:
      "Headers and query parameters of HTTP blocks that look like keys become credentials of the workspace of " +
      "the type `http`, one for each secret, for the hosts of its blocks. The draft is edited as by `editBot`, " +
      "with the same 409. What cannot move is listed with the reason. Versions and edits from before still " +
      "have the secrets: replace them at the provider.",
    example: { request: {}, response: { credentials: [], skipped: [], revision: 2 } },
    queryMembers: ["dryRun"],
    input: {
      botId: botIdSchema,
      revision: revisionSchema
        .optional()
        .describe("Revision that the caller has seen; absent: the current one"),
      dryRun: dryRunFlag,
    },
    output: {
      credentials: z.array(extractedSchema).describe("The credentials, in the order of the bot"),
      skipped: z.array(skippedSchema).describe("What stays in the bot"),
      revision: revisionSchema,
    },
  },
).mutation(async ({ ctx, input: { botId, revision, dryRun } }) => {
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const bot = await requireBotWithFlow(ctx, botId, "share")
  const { credentials, skipped } = extractionOf(flowOfDraft(bot))
  if (dryRun || credentials.length === 0) {
    if (dryRun) ctx.audit?.skip()
    const planned = credentials.map((credential) => present({ credential }))
    return { credentials: planned, skipped, revision: bot.revision }
  }
  const done = await extractCredentials(ctx, bot, { authorId: ctx.user.id, revision })
  return { ...done, credentials: done.credentials.map(present) }
})

function present({
  credential,
  credentialsId,
}: ExtractedCredential): z.infer<typeof extractedSchema> {
  const { name, auth, allowedHosts, secrets } = credential
  const pointers = secrets.map(({ path }) => pointerOf(path))
  return { ...(credentialsId && { credentialsId }), name, auth: auth.type, allowedHosts, pointers }
}
