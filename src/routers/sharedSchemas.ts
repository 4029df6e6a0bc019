/** Schemas that many operations share: ids, timestamps, flags. */
import { z } from "zod"
import { namedObject } from "../engine/schema/sharedMembers.ts"

export const botIdSchema = z.string().min(1).max(255).describe("Id of the bot")

export const workspaceIdSchema = z.string().min(1).max(255).describe("Id of the workspace")

export const versionNumberSchema = z.int().min(1).max(2_147_483_647).meta({
  id: "VersionNumber",
  description: "Number of the version: 1 is the oldest of the bot",
})

export const sessionIdSchema = z
  .string()
  .min(1)
  .max(128)
  .describe("Id of the session, as the start gave it")

export const revisionSchema = z.int().min(1).max(2_147_483_647).meta({
  id: "Revision",
  description: "Revision of the draft: counts its changes from 1",
})

export const doneSchema = namedObject("Done", "The response to a change without a result", {
  message: z.literal("success").describe("The change is made"),
})

/** The response itself. */
export const done = { message: "success" } as const

/** A time in a response: ISO 8601 in UTC with milliseconds, for example `2026-05-22T08:15:30.123Z`. */
export function timestampSchema(description: string) {
  return z.string().meta({ description, format: "date-time" })
}

/** An ISO 8601 time in a request, in any time zone; in UTC, too, it is written with a year of four digits. */
export function instantSchema(description: string) {
  return z.iso
    .datetime({ offset: true, abort: true })
    .refine((text) => /^\d{4}-/.test(new Date(text).toISOString()), {
      message: "must be in the years 0000 to 9999 in UTC",
    })
    .describe(description)
}

/**
 * A flag in the query of a GET, off by default. Over REST it is `true`, `1`, `false` or `0`, which
 * http/rest/query.ts turns into booleans; anything else is a 400.
 */
export function queryFlag(description: string) {
  return z.boolean().default(false).describe(description)
}

/**
 * A flag in a body that may be left out: a boolean, or `"true"` or `"false"`, which workflow tools send,
 * or null. The document says boolean alone, so that generated clients have a plain flag.
 */
export function bodyFlag(description: string) {
  return z
    .union([z.boolean(), z.enum(["true", "false"])])
    .transform((sent) => sent === true || sent === "true")
    .nullish()
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf
        jsonSchema.type = "boolean"
      },
    })
}
