/** The shapes that the chat API takes and answers, as the typed client knows them. */
import type { ParleyInputs, ParleyOutputs } from "../../client.ts"

/** What a start answers. */
export type StartedChat = ParleyOutputs["chat"]["start"]

/** What every chat call answers. */
export type ChatStep = ParleyOutputs["chat"]["continue"]

export type RuntimeBot = StartedChat["bot"]
export type Theme = RuntimeBot["theme"]
export type Settings = RuntimeBot["settings"]
export type DynamicTheme = NonNullable<ChatStep["dynamicTheme"]>

/** What the person sends. */
export type Message = Exclude<NonNullable<ParleyInputs["chat"]["continue"]["message"]>, string>

export type ChatMessage = ChatStep["messages"][number]
export type BubbleType = ChatMessage["type"]
export type ContentOf<T extends BubbleType> = Extract<ChatMessage, { type: T }>["content"]
export type RichTextNode = Extract<ContentOf<"text">, { type: "richText" }>["richText"][number]

export type ChatInput = NonNullable<ChatStep["input"]>
export type InputType = ChatInput["type"]
export type InputOf<T extends InputType> = Extract<ChatInput, { type: T }>

export type ClientAction = NonNullable<ChatStep["clientSideActions"]>[number]
export type ActionType = ClientAction["type"]
export type ActionOf<T extends ActionType> = Extract<ClientAction, { type: T }>
