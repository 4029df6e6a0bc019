/** Has the client open another page. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

export const redirectBlockSchema = blockSchemaOf("Redirect", "Opening of another page", {
  options: optional.object("Where to go", {
    url: optional.text(
      "Address; may hold {{variables}}; https:// is added where a scheme is missing",
    ),
    isNewTab: optional.flag("Whether in a new tab; default false"),
  }),
}).meta({ id: "RedirectBlock", description: "Has the client open another page; the chat goes on" })

export type RedirectBlock = z.infer<typeof redirectBlockSchema>
