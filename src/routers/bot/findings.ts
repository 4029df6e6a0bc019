/** Findings of the linter, in responses and as refusals. */
import { z } from "zod"
import type { Finding } from "../../authoring/lint/finding.ts"
import { linkedBots } from "../../authoring/lint/lint.ts"
import type { Surroundings } from "../../authoring/lint/lintContext.ts"
import { listKnownBots } from "../../db/bots/bots.ts"
import type { Db } from "../../db/connection/open.ts"
import { listAllowedHosts } from "../../db/people/credentials.ts"
import type { Group } from "../../engine/bot.ts"
import { badRequest, type Issue } from "../../errors.ts"
import type { FlowReferences } from "../heavy/jobs.ts"
import { bodyFlag } from "../sharedSchemas.ts"
import { credentialsIn } from "./sanitise.ts"
import { botSchema } from "./schema.ts"

const findingMembers = {
  rule: z.string().describe("Id of the rule that is broken, for example `dangling-edge`"),
  severity: z
    .enum(["error", "warning"])
    .describe("An error keeps the bot from running; with warnings it runs and can be published"),
  pointer: z.string().describe("JSON Pointer (RFC 6901) from the bot to what is wrong"),
  place: z.string().describe('Where a person finds it: `Group "Contact" › block 5 "email input"`'),
  message: z.string().describe("What is wrong, as a sentence"),
  remedy: z.string().describe("What to do about it, as a sentence"),
}

/** One finding. */
export const findingSchema = z
  .object(findingMembers)
  .meta({ id: "Finding", description: "Something that is wrong with a bot" })

/** One finding for all of its rule. */
export const warningSchema = z
  .object({
    ...findingMembers,
    count: z.number().int().describe("How many times the rule is broken; this is the first"),
  })
  .meta({ id: "PublishWarning", description: "A rule that the published bot breaks" })

/** The result of an import or an update, dry run or not. */
export const keptBotSchema = z
  .object({
    bot: botSchema,
    findings: z
      .array(findingSchema)
      .optional()
      .describe("Only of a dry run: what is wrong with the bot, ordered by pointer"),
    warnings: z
      .array(findingSchema)
      .optional()
      .describe("Only of an import: texts that were too long and were cut; absent: none"),
  })
  .meta({ id: "KeptBot", description: "A bot as it is stored, or of a dry run as it would be" })

/** The flag of operations with a dry run. */
export const dryRunFlag = bodyFlag(
  "Whether to write nothing and tell what would come of it; also as a query parameter",
)

/** What a flow names beside itself. */
export function referencesOf(groups: readonly Group[]): FlowReferences {
  return { botIds: linkedBots(groups), credentialIds: credentialsIn(groups) }
}

/** What the linter should know about the workspace of a flow. */
export async function surroundingsOf(
  db: Db,
  { workspaceId, botId }: { workspaceId: string; botId?: string | undefined },
  { botIds, credentialIds }: FlowReferences,
): Promise<Surroundings> {
  const bots = await listKnownBots(db, { workspaceId, ids: botIds })
  const allowedHosts = await listAllowedHosts(db, { workspaceId, ids: credentialIds })
  return {
    botIds: new Set(bots),
    credentialIds: new Set(allowedHosts.keys()),
    allowedHosts,
    ...(botId !== undefined && { botId }),
  }
}

/** Refuses a bot that cannot run, with an issue for each error. */
export function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw badRequest("The bot cannot run as it is", errors.map(issueOf))
}

function issueOf({ rule, pointer, place, message }: Finding): Issue {
  return { message, path: pathOf(pointer), pointer, code: rule, place }
}

function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
