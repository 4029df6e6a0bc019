/** Runs JavaScript of the author. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

export const scriptBlockSchema = blockSchemaOf("Code", "A script", {
  options: optional.object("The script and where it runs", {
    name: optional.text("Name for the author"),
    content: optional.text(
      "JavaScript, body of an async function; {{variables}} stand for their values",
    ),
    isExecutedOnClient: optional.flag(
      "Whether the client runs it, or a sandbox of the service; default true",
    ),
    isUnsafe: optional.flag("Whether it came with an import"),
    shouldExecuteInParentContext: optional.flag("Obsolete, ignored"),
  }),
}).meta({ id: "ScriptBlock", description: "Runs JavaScript of the author" })

export type ScriptBlock = z.infer<typeof scriptBlockSchema>
