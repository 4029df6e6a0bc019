/** Findings of the linter in responses, and the flag of dry runs. */
import { z } from "zod"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { bodyFlag } from "../sharedSchemas.ts"
import { botSchema } from "./botSchemas.ts"

export const findingSchema = namedObject("Finding", "Something that is wrong with a bot", {
  rule: z.string().describe("Id of the rule that is broken, for example `dangling-edge`"),
  severity: z
    .enum(["error", "warning"])
    .describe("error: the bot cannot run; warning: it runs and can be published"),
  pointer: z.string().describe("JSON Pointer (RFC 6901) to the problem, from the bot"),
  place: z
    .string()
    .describe('Where to find it in the builder: `Group "Contact" › block 5 "email input"`'),
  message: z.string().describe("What is wrong, as a sentence"),
  remedy: z.string().describe("What to do about it, as a sentence"),
})

/** The first finding of a rule, and how many there are. */
export const warningSchema = findingSchema
  .extend({
    count: z.int().describe("How many times the rule is broken; this is the first"),
  })
  .meta({ id: "PublishWarning", description: "A rule that the published bot breaks" })

/** The result of an import or an update, dry run or not. */
export const keptBotSchema = z
  .object({
    bot: botSchema,
    findings: z
      .array(findingSchema)
      .optional()
      .describe("Only in a dry run: what is wrong with the bot, ordered by pointer"),
    warnings: z
      .array(findingSchema)
      .optional()
      .describe(
        "Members that no bot has and that were left out, and in an import texts that were too long and were cut, and " +
          "secrets that it lacks; absent: none",
      ),
  })
  .meta({ id: "KeptBot", description: "A bot as it is stored, or, in a dry run, as it would be" })

export const copiedBotSchema = z
  .object({
    bot: botSchema,
    warnings: z
      .array(findingSchema)
      .optional()
      .describe("Secrets of the original that the copy lacks; absent: none"),
  })
  .meta({ id: "CopiedBot", description: "A copy of a bot" })

export const dryRunFlag = bodyFlag(
  "Whether to store nothing and only return what the result would be; also a query parameter",
)
