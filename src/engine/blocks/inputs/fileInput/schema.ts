/** Shape of a file input. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, visibilitySchema } from "../inputSchema.ts"

export const fileInputBlockSchema = blockSchemaOf("file input", "A file input", {
  options: optional.named("FileInputOptions", "How the files are asked for and stored", {
    ...answerShape,
    isRequired: optional.flag("False: it may be skipped; default true"),
    isMultipleAllowed: optional.flag("Whether several files; default false"),
    labels: optional.named("FileInputLabels", "Texts around the files", {
      placeholder: optional.template("HTML shown in the drop zone"),
      button: optional.template("Label of the upload button; default Upload"),
      clear: optional.template("Label of the button that removes the files; default Clear"),
      skip: optional.template("Label of the button that goes on without files; default Skip"),
      success: optional.object("What is shown after the upload", {
        single: optional.template("Shown after one file; default File uploaded"),
        multiple: optional.template("Shown after several; {total} is their number"),
      }),
    }),
    allowedFileTypes: optional.object("Kinds of files that are taken", {
      isEnabled: optional.flag("Whether the list applies; default false"),
      types: optional.list("MIME types, wildcards such as image/*, or extensions", z.string()),
    }),
    capture: optional.oneOf("Camera to open on a phone instead of the file picker", [
      "environment",
      "user",
    ]),
    visibility: visibilitySchema.optional(),
    sizeLimit: optional.number("Largest file in megabytes; heeded in versions below 6"),
  }),
}).meta({ id: "FileInputBlock", description: "Asks for one or more files" })

export type FileInputBlock = z.infer<typeof fileInputBlockSchema>
