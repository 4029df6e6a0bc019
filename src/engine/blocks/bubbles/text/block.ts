/** Shows a text. */
import type { TextContent } from "../../../payload.ts"
import { interpolateRichText, type RichTextMode } from "../../../richText/interpolateRichText.ts"
import { childrenOf } from "../../../richText/leavesOf.ts"
import { toMarkdown } from "../../../richText/toMarkdown.ts"
import type { RichText } from "../../../schema/richText.ts"
import { singleToken } from "../../../variables/interpolate.ts"
import type { Bubble, Scene } from "../../block.ts"
import { type TextBlock, textBlockSchema } from "./schema.ts"

export const textBlock: Bubble<TextBlock> = {
  kind: "bubble",
  schema: textBlockSchema,
  unfilled: ["html", "plainText"],
  show: (block, scene) => block.content && { type: "text", content: contentOf(block, scene) },
  mentions: (block) => ({ texts: textsIn(block.content?.richText ?? []) }),
  transcribe: (block, scene) => {
    // Not escaped: a transcript is a value, which is made harmless where it is shown.
    const content = toMarkdown(filled(block, scene))
    return content === "" ? undefined : { type: "text", content }
  },
  speaks: (block) => {
    const text = block.content?.richText?.[0]?.children?.[0]?.text
    return typeof text === "string" ? singleToken(text) : undefined
  },
}

function contentOf(block: TextBlock, scene: Scene): TextContent {
  if (scene.chat.textFormat === "richText") {
    return { type: "richText", richText: filled(block, scene) }
  }
  const { printsLastOfList } = scene.chat
  const markdown = toMarkdown(filled(block, scene, { printsLastOfList, marksValues: true }))
  return { type: "markdown", markdown }
}

function filled(block: TextBlock, scene: Scene, how: RichTextMode = scene.chat): RichText {
  const richText = block.content?.richText
  return richText ? interpolateRichText(richText, scene, how) : []
}

/** Every text and address at any depth. */
function textsIn(nodes: RichText): string[] {
  return nodes.flatMap((node) => [
    ...[node.text, node.url].filter((text) => typeof text === "string"),
    ...textsIn(childrenOf(node)),
  ])
}
