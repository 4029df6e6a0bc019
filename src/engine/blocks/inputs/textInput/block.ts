/** Asks for a text; accepts anything, including voice clips and attached files. */
import type { z } from "zod"
import { assignTo } from "../../../calls.ts"
import { allowedExtensions } from "../../../mimeTypes.ts"
import type { Message, TextMessage } from "../../../schema/message.ts"
import { namedObject, optional } from "../../../schema/sharedMembers.ts"
import type { BlockContext, Verdict } from "../../block.ts"
import { blockSchemaOf, input } from "../../defineBlock.ts"
import {
  answerShape,
  askPrefilled,
  typedAs,
  typedLabelsSchema,
  visibilitySchema,
} from "../asking.ts"

const uploadsSchema = namedObject(
  "TextInputUploads",
  "Something to upload besides, or instead of, text",
  {
    isEnabled: optional.flag("Whether it is offered", false),
    saveVariableId: optional.variableId("Variable that receives the addresses"),
    visibility: visibilitySchema.optional(),
  },
)

export const textInputBlockSchema = blockSchemaOf("text input", {
  options: optional.named("TextInputOptions", "How the text is asked for and stored", {
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    isLong: optional.flag("Whether several lines are expected", false),
    inputMode: optional.oneOf("Keyboard to offer", [
      "text",
      "decimal",
      "numeric",
      "tel",
      "search",
      "email",
      "url",
    ]),
    audioClip: uploadsSchema.optional().describe("Voice recording"),
    attachments: uploadsSchema.optional().describe("Files sent with the text"),
  }),
}).meta({ id: "TextInputBlock" })

export type TextInputBlock = z.infer<typeof textInputBlockSchema>

export const textInputBlock = input(textInputBlockSchema, {
  catalogue: {
    label: "Text question",
    description: "Asks for a text, and if you like for a voice recording or files with it",
    category: "questions",
    icon: "text-cursor-input",
  },
  replyName: "text",
  takesOpeningMessage: true,
  uploads: ({ options }, extension) => {
    const { attachments, audioClip } = options ?? {}
    const isClip = audioClip?.isEnabled && extensionsOfClips.has(extension)
    const taken = isClip ? audioClip : attachments
    return taken?.isEnabled ? { isPrivate: taken.visibility === "Private" } : undefined
  },
  ask: askPrefilled,
  samples: ({ options }, wanted) => ({
    fitting: [
      ...typedAs(["Ann", ...wanted]),
      ...(options?.audioClip?.isEnabled ? [sampleClip] : []),
      ...(options?.attachments?.isEnabled ? [sampleFiles] : []),
    ],
    refused: [],
  }),
  reply: (block, message, context) => {
    if (message?.type === "text") return acceptText(block, message, context)
    if (message?.type === "audio") return acceptClip(block, message.url)
    return "retry"
  },
})

const sampleClip: Message = { type: "audio", url: "https://files.example/clip.mp3" }

const sampleFiles: Message = {
  type: "text",
  text: "Ann",
  attachedFileUrls: ["https://files.example/file.pdf"],
}

const extensionsOfClips = allowedExtensions(["audio/*", "video/webm", "video/mp4"])

function acceptText(block: TextInputBlock, message: TextMessage, context: BlockContext): Verdict {
  const urls = message.attachedFileUrls
  if (!urls?.length) return { accept: message.text }
  return { accept: message.text, set: attachmentsSet(block, urls, context), attachedFileUrls: urls }
}

/** One address is stored as a text, several as a list; an existing list is appended to. */
function attachmentsSet(block: TextInputBlock, urls: string[], context: BlockContext) {
  const { isEnabled, saveVariableId } = block.options?.attachments ?? {}
  if (!isEnabled || saveVariableId === undefined) return []
  const present = context.variables.value(saveVariableId)
  if (Array.isArray(present)) return [{ variableId: saveVariableId, value: [...present, ...urls] }]
  return [{ variableId: saveVariableId, value: urls.length === 1 ? urls[0] : urls }]
}

/** Accepts clips regardless of the options; the linked variable takes only texts. */
function acceptClip(block: TextInputBlock, url: string): Verdict {
  const { isEnabled, saveVariableId } = block.options?.audioClip ?? {}
  return {
    accept: url,
    set: isEnabled ? assignTo(saveVariableId, url) : [],
    isSavedElsewhere: true,
  }
}
