/** Shows another page within the chat, and may wait for what it reports. */

import { assignTo } from "../../../calls.ts"
import { readJson } from "../../../foreignJson.ts"
import { defined } from "../../../presentMembers.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { interpolate, readNumber } from "../../../variables/interpolate.ts"
import type { BlockContext, Bubble } from "../../block.ts"
import { type EmbedBlock, embedBlockSchema } from "./schema.ts"

type Content = NonNullable<EmbedBlock["content"]>

export const embedBlock: Bubble<EmbedBlock> = {
  kind: "bubble",
  schema: embedBlockSchema,
  show: ({ content }, context) => content && { type: "embed", content: filled(content, context) },
  waits: (block) => block.content?.waitForEvent?.isEnabled === true,
  receive: ({ content }, text) => ({
    set: assignTo(content?.waitForEvent?.saveDataInVariableId, readJson(text)),
  }),
}

function filled({ url, height, waitForEvent }: Content, context: BlockContext): Content {
  const page = url === undefined ? undefined : safeUrl(interpolate(url, context))
  return defined({ url: page, height: readNumber(height, context), waitForEvent })
}
