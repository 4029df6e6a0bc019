/** Shows a text. */
import type { z } from "zod"
import type { TextContent } from "../../../payload.ts"
import { interpolateRichText, type RichTextMode } from "../../../richText/interpolateRichText.ts"
import { childrenOf } from "../../../richText/leavesOf.ts"
import { toMarkdown } from "../../../richText/toMarkdown.ts"
import { optional } from "../../../schema/members.ts"
import { type RichText, richTextSchema } from "../../../schema/richText.ts"
import { singleToken } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"

export const textBlockSchema = blockSchemaOf("text", {
  content: optional.named("TextBubbleContent", "The text to show", {
    richText: richTextSchema.optional().describe("What it says"),
    html: optional.former("Text of very old bots; kept, not shown"),
    plainText: optional.former("Text of very old bots; kept, not shown"),
  }),
}).meta({ id: "TextBlock" })

type TextBlock = z.infer<typeof textBlockSchema>

export const textBlock = bubble(textBlockSchema, {
  catalogue: {
    label: "Text",
    description: "Says something, with formatting, links and variables",
    category: "messages",
    icon: "message-square-text",
    defaults: { content: { richText: [{ type: "p", children: [{ text: "" }] }] } },
  },
  unfilled: ["html", "plainText"],
  show: (block, context) => block.content && { type: "text", content: contentOf(block, context) },
  mentions: (block) => ({ texts: textsIn(block.content?.richText ?? []) }),
  speaks: (block) => {
    const text = block.content?.richText?.[0]?.children?.[0]?.text
    return typeof text === "string" ? singleToken(text) : undefined
  },
})

function contentOf(block: TextBlock, context: BlockContext): TextContent {
  // Very old exports have only HTML, which is not shown.
  if (context.chat.textFormat === "richText" || !block.content?.richText) {
    return { type: "richText", richText: filled(block, context) }
  }
  const { printsLastOfList } = context.chat
  const markdown = toMarkdown(filled(block, context, { printsLastOfList, marksValues: true }))
  return { type: "markdown", markdown }
}

function filled(
  block: TextBlock,
  context: BlockContext,
  how: RichTextMode = context.chat,
): RichText {
  const richText = block.content?.richText
  return richText ? interpolateRichText(richText, context, how) : []
}

/** All texts and addresses, at any depth. */
function textsIn(nodes: RichText): string[] {
  return nodes.flatMap((node) => [
    ...[node.text, node.url].filter((text) => typeof text === "string"),
    ...textsIn(childrenOf(node)),
  ])
}
