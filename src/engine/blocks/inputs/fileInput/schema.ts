/** Shape of a file input. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { answerShape, labelSchema, visibilitySchema } from "../inputShape.ts"

const labelsSchema = z
  .object({
    placeholder: labelSchema("HTML shown in the drop zone"),
    button: labelSchema("Label of the upload button; default Upload"),
    clear: labelSchema("Label of the button that removes the files; default Clear"),
    skip: labelSchema("Label of the button that goes on without files; default Skip"),
    success: z
      .object({
        single: labelSchema("Shown after one file; default File uploaded"),
        multiple: labelSchema("Shown after several; {total} is their number"),
      })
      .optional()
      .describe("What is shown after the upload"),
  })
  .meta({ id: "FileInputLabels", description: "Texts around the files" })

const optionsSchema = z
  .object({
    ...answerShape,
    isRequired: z.boolean().optional().describe("False: it may be skipped; default true"),
    isMultipleAllowed: z.boolean().optional().describe("Whether several files; default false"),
    labels: labelsSchema.optional(),
    allowedFileTypes: z
      .object({
        isEnabled: z.boolean().optional().describe("Whether the list applies; default false"),
        types: z
          .array(z.string())
          .optional()
          .describe("MIME types, wildcards such as image/*, or extensions"),
      })
      .optional()
      .describe("Kinds of files that are taken"),
    capture: z
      .enum(["environment", "user"])
      .optional()
      .describe("Camera to open on a phone instead of the file picker"),
    visibility: visibilitySchema.optional(),
    sizeLimit: z
      .number()
      .optional()
      .describe("Largest file in megabytes; heeded in versions below 6"),
  })
  .meta({ id: "FileInputOptions", description: "How the files are asked for and stored" })

export const fileInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("file input").describe("A file input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "FileInputBlock", description: "Asks for one or more files" })

export type FileInputBlock = z.infer<typeof fileInputBlockSchema>
