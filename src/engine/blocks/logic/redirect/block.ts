/** Has the client open another page. */
import { defined } from "../../../../lib/presentMembers.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolateUrl } from "../../../variables/interpolateUrl.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const redirectBlockSchema = blockSchemaOf("Redirect", {
  options: optional.object("Where to go", {
    url: optional.template("Address; https:// is added where a scheme is missing"),
    isNewTab: optional.flag("Whether in a new tab", false),
  }),
}).meta({ id: "RedirectBlock" })

export const redirectBlock = action(redirectBlockSchema, {
  catalogue: {
    label: "Redirect",
    description: "Opens another page while the chat goes on",
    category: "logic",
    icon: "external-link",
    messengers: "reduced",
  },
  run: (block, context) => {
    const { url: written, isNewTab } = block.options ?? {}
    if (!written) return {}
    const filled = interpolateUrl(written, context).trim()
    if (filled === "") return {}
    // A variable may be filled from outside.
    if (safeUrl(filled) === undefined) {
      return { log: [{ status: "error", description: "The address to open would run code" }] }
    }
    const isComplete = written.startsWith("{{") || /^(?:http|mailto:|tel:|sms:)/i.test(filled)
    const url = isComplete ? filled : `https://${filled}`
    return { act: [{ type: "redirect", redirect: { url, ...defined({ isNewTab }) } }] }
  },
})
