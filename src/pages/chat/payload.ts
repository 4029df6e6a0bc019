/** The types of requests and answers of the chat API, from the typed client. */
import type { ParleyInputs, ParleyOutputs } from "../../client.ts"

/** The answer to a start. */
export type StartedChat = ParleyOutputs["chat"]["start"]

/** The answer to every chat call. */
export type ChatStep = ParleyOutputs["chat"]["continue"]

export type RuntimeBot = StartedChat["bot"]
export type Theme = RuntimeBot["theme"]
export type Settings = RuntimeBot["settings"]
export type DynamicTheme = NonNullable<ChatStep["dynamicTheme"]>

/** A message from the person. */
export type Message = Exclude<NonNullable<ParleyInputs["chat"]["continue"]["message"]>, string>

export type ChatMessage = ChatStep["messages"][number]
export type BubbleType = ChatMessage["type"]
export type ContentOf<T extends BubbleType> = Extract<ChatMessage, { type: T }>["content"]
/** The props of a bubble; `isLast` is false as soon as something follows the message. */
export type BubbleProps<T extends BubbleType> = { content: ContentOf<T>; isLast: boolean }
export type RichTextNode = Extract<ContentOf<"text">, { type: "richText" }>["richText"][number]

export type ChatInput = NonNullable<ChatStep["input"]>
export type InputType = ChatInput["type"]
export type InputOf<T extends InputType> = Extract<ChatInput, { type: T }>

export type ClientAction = NonNullable<ChatStep["clientSideActions"]>[number]
export type ActionType = ClientAction["type"]
export type ActionOf<T extends ActionType> = Extract<ClientAction, { type: T }>
