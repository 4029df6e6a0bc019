/** Stored form of the functions that an author lets a model call. */
import { z } from "zod"
import { idSchema } from "../../schema/id.ts"
import { text } from "./serviceSchema.ts"

export const parameterSchema = z
  .object({
    id: idSchema.optional().describe("Id of the parameter"),
    type: z
      .enum(["string", "number", "boolean", "enum"])
      .optional()
      .describe("Type of the argument; default string"),
    name: text("Name of the argument"),
    description: text("What the model should give"),
    required: z.boolean().optional().describe("False: the model may leave it out; default true"),
    values: z.array(z.string()).optional().describe("Allowed values of an enum"),
  })
  .meta({ id: "ModelToolParameter", description: "An argument of a function" })

export const toolSchema = z
  .object({
    id: idSchema.optional().describe("Id of the function"),
    type: z.literal("function").optional().describe("Always function"),
    name: text("Name of the function; needed"),
    description: text("What it does, for the model"),
    parameters: z.array(parameterSchema).optional().describe("Its arguments"),
    code: text("Body in JavaScript, arguments as variables; needed"),
  })
  .meta({ id: "ModelToolOption", description: "A function of the author that a model may call" })

export type ToolOption = z.infer<typeof toolSchema>
