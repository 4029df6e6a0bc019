/** Shows a text. */
import type { TextContent } from "../../../payload.ts"
import { interpolateRichText } from "../../../richText/interpolateRichText.ts"
import { childrenOf } from "../../../richText/leavesOf.ts"
import { toMarkdown } from "../../../richText/toMarkdown.ts"
import { type RichText, richTextSchema } from "../../../schema/richText.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { singleToken } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"

export const textBlockSchema = blockSchemaOf("text", {
  content: optional.named("TextBubbleContent", "The text to show", {
    richText: richTextSchema.optional().describe("Formatted text"),
    html: optional.former("Text of very old bots; kept, not shown"),
    plainText: optional.former("Text of very old bots; kept, not shown"),
  }),
}).meta({ id: "TextBlock" })

export const textBlock = bubble(textBlockSchema, {
  catalogue: {
    label: "Text",
    description: "Says something, with formatting, links and variables",
    category: "messages",
    icon: "message-square-text",
    defaults: { content: { richText: [{ type: "p", children: [{ text: "" }] }] } },
  },
  unfilled: ["html", "plainText"],
  show: ({ content }, context) =>
    content && { type: "text", content: contentOf(content.richText, context) },
  mentions: (block) => ({ texts: textsIn(block.content?.richText ?? []) }),
  speaks: (block) => {
    const text = block.content?.richText?.[0]?.children?.[0]?.text
    return typeof text === "string" ? singleToken(text) : undefined
  },
})

function contentOf(text: RichText | undefined, context: BlockContext): TextContent {
  // Very old exports have only HTML, which is not shown.
  if (!text) return { type: "richText", richText: [] }
  const { textFormat, printsLastOfList } = context.chat
  const marksValues = textFormat === "markdown"
  const richText = interpolateRichText(text, context, { printsLastOfList, marksValues })
  return marksValues
    ? { type: "markdown", markdown: toMarkdown(richText) }
    : { type: "richText", richText }
}

/** All texts and addresses, at any depth. */
function textsIn(nodes: RichText): string[] {
  return nodes.flatMap((node) => [
    ...[node.text, node.url].filter((text) => typeof text === "string"),
    ...textsIn(childrenOf(node)),
  ])
}
