/** Shows another page within the chat, and may wait for its report. */
import type { z } from "zod"
import { readJson } from "../../../../lib/foreignJson.ts"
import { defined } from "../../../../lib/presentMembers.ts"
import { assignTo } from "../../../calls.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import { interpolateUrl } from "../../../variables/interpolateUrl.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"

const embedBlockSchema = blockSchemaOf("embed", {
  content: optional.named("EmbedBubbleContent", "The page to show", {
    url: optional.template("Address of the page, or the code of an iframe that shows it"),
    height: optional.numberOrText("Height in pixels, or a variable that holds it", 400),
    waitForEvent: optional.named("EmbedWait", "The window message that an embed waits for", {
      isEnabled: optional.flag("Whether the chat waits for a message of the page", false),
      name: optional.template("Name that the window message must carry"),
      saveDataInVariableId: optional.variableId("Variable that receives the data of the message"),
    }),
  }),
}).meta({ id: "EmbedBlock" })

type EmbedBlock = z.infer<typeof embedBlockSchema>

type Content = NonNullable<EmbedBlock["content"]>

export const embedBlock = bubble(embedBlockSchema, {
  catalogue: {
    label: "Embedded page",
    description: "Shows a web page within the chat, and can wait until that page reports something",
    category: "messages",
    icon: "app-window",
    messengers: "reduced",
  },
  show: ({ content }, context) => content && { type: "embed", content: filled(content, context) },
  waits: (block) => block.content?.waitForEvent?.isEnabled === true,
  receive: ({ content }, text) => ({
    set: assignTo(content?.waitForEvent?.saveDataInVariableId, readJson(text)),
  }),
})

function filled({ url, height, waitForEvent }: Content, context: BlockContext): Content {
  const page = url === undefined ? undefined : safeUrl(addressIn(interpolateUrl(url, context)))
  const awaited = interpolateStructure(waitForEvent, context)
  return defined({ url: page, height: readNumber(height, context), waitForEvent: awaited })
}

/** The `src` of an iframe, in double quotes, in single quotes or in none. */
const iframe = /<iframe(?=\s)[^<>]*?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i

/** Authors paste the code that sites offer for embedding; its `src` is the address. */
function addressIn(text: string): string {
  if (!text.trimStart().startsWith("<")) return text
  const [, double, single, bare] = iframe.exec(text) ?? []
  const address = (double ?? single ?? bare ?? text).trim().replaceAll("&amp;", "&")
  return address.startsWith("//") ? `https:${address}` : address
}
