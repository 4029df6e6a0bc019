/** The answer of a chat step: messages, the next input, client-side actions, logs, theme, progress. */
import { z } from "zod"
import { logSchema } from "./schema/log.ts"
import { richTextSchema } from "./schema/richText.ts"
import { namedObject, optional } from "./schema/sharedMembers.ts"

export type TextFormat = "richText" | "markdown"

const textContentSchema = z
  .discriminatedUnion("type", [
    namedObject("RichTextContent", "A text as rich text", {
      type: z.literal("richText").describe("Rich text nodes"),
      richText: richTextSchema.describe("The nodes, variables replaced"),
    }),
    namedObject("MarkdownContent", "A text as Markdown", {
      type: z.literal("markdown").describe("Markdown"),
      markdown: z
        .string()
        .describe("The text; values are escaped, as far as rich text shows no markup"),
    }),
  ])
  .meta({ id: "TextContent", description: "A text in the requested format" })

const functionSchema = namedObject("ClientFunction", "JavaScript for the client to run", {
  args: z.record(z.string(), z.unknown()).describe("Arguments by name"),
  content: z.string().describe("Body of the function"),
})

const imageContentSchema = z.object({
  url: optional.text("Address of the picture"),
  clickLink: optional.object("The link of the picture", {
    url: optional.text("Address that a click opens"),
    alt: optional.text("Description of the picture"),
  }),
})

/** Services whose videos are recognised, and `url` for all others. */
export const videoServices = ["url", "youtube", "vimeo", "tiktok", "gumlet"] as const

const videoContentSchema = z.object({
  url: optional.text("Address of the video"),
  id: optional.text("Id at the video service"),
  type: optional.oneOf("Service, recognised by the address", videoServices),
  height: optional.numberOrText("Height in pixels"),
  aspectRatio: optional.text("For example 16/9"),
  maxWidth: optional.text("A CSS width"),
  queryParamsStr: optional.text("Query to append for the service"),
  areControlsDisplayed: optional.flag("Whether to show controls", true),
  isAutoplayEnabled: optional.flag("Whether to start at once", true),
})

const audioContentSchema = z.object({
  url: optional.text("Address of the clip"),
  isAutoplayEnabled: optional.flag("Whether to start at once", true),
})

const fileContentSchema = z.object({
  url: optional.text("Address of the file"),
  name: optional.text("Name of the file"),
  size: optional.number("Size in bytes"),
  caption: optional.text("Words below the file"),
})

const embedContentSchema = z.object({
  url: optional.text("Address of the page"),
  height: optional.numberOrText("Height in pixels"),
  waitForEvent: optional.object("The awaited event", {
    isEnabled: optional.flag("Whether the chat waits for the page"),
    name: optional.text("Name of the window message to wait for"),
    saveDataInVariableId: optional.text("Variable that receives its data"),
  }),
})

const customEmbedContentSchema = z.object({
  url: optional.text("Address of the page"),
  initFunction: functionSchema.describe("Called with the arguments and the container element"),
  waitForEventFunction: functionSchema.optional().describe("Called with continueFlow(text)"),
})

const messageOf = <T extends string, C extends z.ZodType>(type: T, content: C, id: string) =>
  namedObject(id, `A message of type ${type}`, {
    id: z.string().describe("Id of the block that sent it"),
    type: z.literal(type).describe("Kind of message"),
    content: content.describe("Content of the message"),
  })

export const chatMessageSchema = z
  .discriminatedUnion("type", [
    messageOf("text", textContentSchema, "TextBubbleMessage"),
    messageOf("image", imageContentSchema, "ImageBubbleMessage"),
    messageOf("video", videoContentSchema, "VideoBubbleMessage"),
    messageOf("audio", audioContentSchema, "AudioBubbleMessage"),
    messageOf("file", fileContentSchema, "FileBubbleMessage"),
    messageOf("embed", embedContentSchema, "EmbedBubbleMessage"),
    messageOf("custom-embed", customEmbedContentSchema, "CustomEmbedMessage"),
  ])
  .meta({ id: "ChatMessage", description: "Something to show" })

export type ChatMessage = z.infer<typeof chatMessageSchema>

export type TextContent = z.infer<typeof textContentSchema>

/** A message without its id: the content of a bubble. */
export type BubbleContent = WithoutId<ChatMessage>

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never

const argumentValueSchema = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string().nullable())])
  .meta({ id: "ArgumentValue", description: "A value with its guessed type" })
  .nullable()
  .describe("Value with its guessed type")

const scriptSchema = namedObject("ScriptToExecute", "JavaScript for the client to run", {
  content: z.string().describe("Body of the function; variables stand by their ids"),
  args: z
    .array(
      namedObject("ScriptArgument", "An argument of a script", {
        id: z.string().describe("Name of the argument"),
        value: argumentValueSchema.optional(),
      }),
    )
    .describe("Arguments of the function"),
  isCode: optional.flag("Whether the author wrote it as code"),
  isUnsafe: optional.flag("Run it without credentials, in a worker"),
})

const keyValuesSchema = z
  .array(
    z.object({
      id: z.string().describe("Id of the pair"),
      key: optional.text("Name"),
      value: z.unknown().describe("Value"),
    }),
  )
  .describe("Names and values")

/** The content of an action is the member named after its type. */
const actionOf = <T extends string, C extends z.ZodType>(type: T, content: C) =>
  namedObject(actionId(type), `A client-side action of type ${type}`, {
    type: z.literal(type).describe("Kind of action"),
    ...({ [type]: content } as Record<T, C>),
    ...timingShape,
  })

const objectActionOf = <T extends string, S extends z.ZodRawShape>(
  type: T,
  description: string,
  shape: S,
) => actionOf(type, z.object(shape).describe(description))

/** `redirect` is `RedirectAction` in the document, and `scriptToExecute` is `ScriptAction`. */
function actionId(type: string): string {
  const name = type.replace("OpenAi", "").replace(/To(?:Execute|Inject)$/, "")
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Action`
}

const timingShape = {
  lastBubbleBlockId: z
    .string()
    .meta({
      id: "LastBubbleBlockId",
      description: "Run it after this message was shown; absent: before any",
    })
    .optional(),
  expectsDedicatedReply: z
    .boolean()
    .meta({ id: "ExpectsReply", description: "True: continue the chat with its outcome" })
    .optional(),
}

export const clientActionSchema = z
  .discriminatedUnion("type", [
    actionOf("scriptToExecute", scriptSchema),
    objectActionOf("redirect", "Where to go", {
      url: optional.text("Address to open"),
      isNewTab: optional.flag("Whether in a new tab"),
    }),
    objectActionOf("wait", "How long", { secondsToWaitFor: z.number().describe("Seconds") }),
    objectActionOf("setVariable", "The script whose result is the value", {
      scriptToExecute: scriptSchema,
    }),
    objectActionOf("httpRequestToExecute", "The request to make", {
      url: z.string().describe("Address"),
      method: optional.text("HTTP method"),
      headers: z.record(z.string(), z.string()).optional().describe("Headers by name"),
      body: z.unknown().optional().describe("JSON body"),
    }),
    objectActionOf("startPropsToInject", "Code that the page loads before the chat", {
      googleAnalyticsId: optional.text("Google Analytics id"),
      pixelIds: optional.list("Pixel ids", z.string()),
      gtmId: optional.text("Google Tag Manager id"),
      customHeadCode: optional.text("HTML for the head of the page"),
    }),
    objectActionOf("googleAnalytics", "The event to send", {
      trackingId: optional.text("Measurement id"),
      category: optional.text("Category"),
      action: optional.text("Action"),
      label: optional.text("Label"),
      value: optional.number("Value"),
      sendTo: optional.text("Further target"),
    }),
    objectActionOf("pixel", "The event to send", {
      pixelId: optional.text("Pixel id"),
      isInitSkip: optional.flag("Whether the page loads it itself"),
      eventType: optional.text("Standard event, or Custom"),
      name: optional.text("Name of a custom event"),
      params: keyValuesSchema.optional(),
    }),
    objectActionOf("chatwoot", "The script to run", { scriptToExecute: scriptSchema }),
    actionOf("codeToExecute", functionSchema.describe("The function to call")),
    actionOf("stream", z.literal(true).describe("Read the answer from the stream endpoint")),
    objectActionOf("streamOpenAiChatCompletion", "Data for the legacy stream endpoint", {
      messages: z.array(z.unknown()).describe("Messages of the conversation"),
    }),
    namedObject("ListenForWebhookAction", "A client-side action of type listenForWebhook", {
      type: z.literal("listenForWebhook").describe("Kind of action"),
      ...timingShape,
    }),
  ])
  .meta({ id: "ClientAction", description: "Something for the client to do" })

export type ClientAction = z.infer<typeof clientActionSchema>

export const dynamicThemeSchema = namedObject(
  "DynamicTheme",
  "Theme addresses that depend on variables",
  {
    hostAvatarUrl: optional.text("Avatar of the bot"),
    guestAvatarUrl: optional.text("Avatar of the end user"),
    backgroundUrl: optional.text("Background"),
  },
)

export type DynamicTheme = z.infer<typeof dynamicThemeSchema>

export const chatLogsSchema = z.array(logSchema).describe("Logs of this step")
