/** Registers every block type. */

import { z } from "zod"
import { pickText } from "../../lib/foreignJson.ts"
import type { Call, CallKind, Outcome } from "../calls.ts"
import type { Message } from "../schema/message.ts"
import type {
  Action,
  BlockBase,
  BlockContext,
  Bubble,
  Input,
  InputPrompt,
  Offer,
  Received,
  Samples,
  Step,
  Verdict,
} from "./block.ts"
import { audioBlock } from "./bubbles/audio/block.ts"
import { embedBlock } from "./bubbles/embed/block.ts"
import { fileBlock } from "./bubbles/file/block.ts"
import { imageBlock } from "./bubbles/image/block.ts"
import { textBlock } from "./bubbles/text/block.ts"
import { videoBlock } from "./bubbles/video/block.ts"
import type { ModelProvider } from "./declared.ts"
import { cardsBlock } from "./inputs/cards/block.ts"
import { choiceInputBlock } from "./inputs/choiceInput/block.ts"
import { dateInputBlock } from "./inputs/dateInput/block.ts"
import { emailInputBlock } from "./inputs/emailInput/block.ts"
import { fileInputBlock } from "./inputs/fileInput/block.ts"
import { numberInputBlock } from "./inputs/numberInput/block.ts"
import { paymentInputBlock } from "./inputs/paymentInput/block.ts"
import { phoneNumberInputBlock } from "./inputs/phoneNumberInput/block.ts"
import { pictureChoiceInputBlock } from "./inputs/pictureChoiceInput/block.ts"
import { ratingInputBlock } from "./inputs/ratingInput/block.ts"
import { textInputBlock } from "./inputs/textInput/block.ts"
import { timeInputBlock } from "./inputs/timeInput/block.ts"
import { urlInputBlock } from "./inputs/urlInput/block.ts"
import { chatwootBlock } from "./integrations/chatwoot/block.ts"
import { emailBlock } from "./integrations/email/block.ts"
import { googleAnalyticsBlock } from "./integrations/googleAnalytics/block.ts"
import { googleSheetsBlock } from "./integrations/googleSheets/block.ts"
import {
  httpRequestBlock,
  makeComBlock,
  pabblyBlock,
  zapierBlock,
} from "./integrations/httpRequest/block.ts"
import { openAiLegacyBlock } from "./integrations/openAiLegacy/block.ts"
import { pixelBlock } from "./integrations/pixel/block.ts"
import { abTestBlock } from "./logic/abTest/block.ts"
import { botLinkBlock, typebotLinkBlock } from "./logic/botLink/block.ts"
import { conditionBlock } from "./logic/condition/block.ts"
import { jumpBlock } from "./logic/jump/block.ts"
import { redirectBlock } from "./logic/redirect/block.ts"
import { returnBlock } from "./logic/return/block.ts"
import { scriptBlock } from "./logic/script/block.ts"
import { setVariableBlock } from "./logic/setVariable/block.ts"
import { waitBlock } from "./logic/wait/block.ts"
import { webhookListenerBlock } from "./logic/webhookListener/block.ts"
import { blinkBlock } from "./services/blink/block.ts"
import { calComBlock } from "./services/calCom/block.ts"
import { chatNodeBlock } from "./services/chatNode/block.ts"
import { difyAiBlock } from "./services/difyAi/block.ts"
import { elevenlabsBlock } from "./services/elevenlabs/block.ts"
import { gmailBlock } from "./services/gmail/block.ts"
import { mcpBlock } from "./services/mcp/block.ts"
import { providerBlocks } from "./services/models/providers.ts"
import { nocodbBlock } from "./services/nocodb/block.ts"
import { openaiBlock } from "./services/openai/block.ts"
import { posthogBlock } from "./services/posthog/block.ts"
import { qrCodeBlock } from "./services/qrCode/block.ts"
import { segmentBlock } from "./services/segment/block.ts"
import { zendeskBlock } from "./services/zendesk/block.ts"
import { startBlock } from "./start/block.ts"
import { type UnknownBlock, unknownBlock, unknownBlockSchema } from "./unknown/block.ts"

/** A type registered under a name other than its schema's does not compile. */
function register<
  const T extends { [K in keyof T]: { schema: z.ZodType<{ type: K }, { type: K }> } },
>(types: T): T {
  return types
}

export const blockTypes = register({
  start: startBlock,
  text: textBlock,
  image: imageBlock,
  video: videoBlock,
  audio: audioBlock,
  file: fileBlock,
  embed: embedBlock,
  "text input": textInputBlock,
  "number input": numberInputBlock,
  "email input": emailInputBlock,
  "url input": urlInputBlock,
  "phone number input": phoneNumberInputBlock,
  "date input": dateInputBlock,
  "time input": timeInputBlock,
  "choice input": choiceInputBlock,
  "picture choice input": pictureChoiceInputBlock,
  "rating input": ratingInputBlock,
  cards: cardsBlock,
  Condition: conditionBlock,
  Redirect: redirectBlock,
  Code: scriptBlock,
  "Typebot link": typebotLinkBlock,
  "Bot link": botLinkBlock,
  Wait: waitBlock,
  "AB test": abTestBlock,
  Jump: jumpBlock,
  Return: returnBlock,
  "file input": fileInputBlock,
  "payment input": paymentInputBlock,
  "Set variable": setVariableBlock,
  webhook: webhookListenerBlock,
  Email: emailBlock,
  "Google Sheets": googleSheetsBlock,
  "Google Analytics": googleAnalyticsBlock,
  Pixel: pixelBlock,
  Chatwoot: chatwootBlock,
  Webhook: httpRequestBlock,
  Zapier: zapierBlock,
  "Make.com": makeComBlock,
  Pabbly: pabblyBlock,
  OpenAI: openAiLegacyBlock,
  openai: openaiBlock,
  ...providerBlocks,
  "dify-ai": difyAiBlock,
  "chat-node": chatNodeBlock,
  elevenlabs: elevenlabsBlock,
  "cal-com": calComBlock,
  "qr-code": qrCodeBlock,
  nocodb: nocodbBlock,
  segment: segmentBlock,
  posthog: posthogBlock,
  zendesk: zendeskBlock,
  gmail: gmailBlock,
  blink: blinkBlock,
  mcp: mcpBlock,
})

type Types = typeof blockTypes

type KnownBlock = z.infer<Types[keyof Types]["schema"]>

/** A block of a known type, or anything else with an id and a type. */
export type Block = KnownBlock | UnknownBlock

export type { UnknownBlockType } from "./unknown/block.ts"

/** A type's handlers of call outcomes, without particular types. */
type Resumer<R> = { [K in CallKind]?: (block: Block, outcome: Outcome, context: BlockContext) => R }

type Receiving = { receive?(block: Block, text: string, context: BlockContext): Received<CallKind> }

/** The contracts, without the particular types of blocks and calls. */
export type BlockType =
  | Bubble<Block>
  | (Omit<Input<Block>, "ask" | "reply" | "asked" | "replied"> & {
      ask(block: Block, context: BlockContext): InputPrompt<CallKind>
      reply(block: Block, message: Message | undefined, context: BlockContext): Verdict<CallKind>
      asked?: Resumer<InputPrompt<CallKind>>
      replied?: Resumer<Verdict<CallKind>>
    })
  | (Omit<Action<Block>, "run" | "resume" | "receive" | "stream" | "streamed"> &
      Receiving & {
        run(block: Block, context: BlockContext): Step<CallKind>
        resume?: Resumer<Step<CallKind>>
        stream?(block: Block, context: BlockContext): Call | undefined
        streamed?(block: Block, outcome: Outcome, context: BlockContext): Pick<Step, "set" | "log">
      })

export type TypeOfKind<Kind extends BlockType["kind"]> = Extract<BlockType, { kind: Kind }>

// The widest cast of the engine. A type only receives blocks of its own name and outcomes of its own calls,
// which TypeScript cannot infer from a look-up by name.
const types = new Map(Object.entries(blockTypes)) as unknown as ReadonlyMap<string, BlockType>
const unknownType = unknownBlock as unknown as BlockType

/** The type of a block, by default the unknown type. */
export function typeOf(block: BlockBase): BlockType {
  return types.get(block.type) ?? unknownType
}

/** The types of input whose answers are counted one by one. */
export const choiceTypes: readonly string[] = [...types].flatMap(([name, type]) =>
  type.kind === "input" && type.isChoice ? name : [],
)

/** The providers of language models, by the type of their blocks and credentials. */
export const modelProviders: ReadonlyMap<string, ModelProvider> = new Map(
  [...types].flatMap(([name, { provider }]) => (provider ? [[name, provider]] : [])),
)

/** The choices of a displayed input; undefined: it takes free text. */
export function offersOf(displayed: BlockBase): Offer[] | undefined {
  const type = typeOf(displayed)
  // A displayed block keeps the shape of its type.
  return type.kind === "input" ? type.offers?.(displayed as Block) : undefined
}

/** Replies to try on a displayed input; see `Input.samples`. */
export function samplesOf(displayed: BlockBase, wanted: readonly string[]): Samples {
  const type = typeOf(displayed)
  return type.kind === "input"
    ? type.samples(displayed as Block, wanted)
    : { fitting: [], refused: [] }
}

/** The variable that receives an input's answer, at the same path in all types. */
export function answerVariable(block: Block): string | undefined {
  return pickText(block, "options", "variableId")
}

/** A block of any type: known types lose members they do not have, unknown ones keep everything. */
export const blockSchema: z.ZodType<Block, Block> = z
  .looseObject({
    id: z.string().min(1).max(255).describe("Id of the block, unique within the bot"),
    type: z.string().min(1).max(255).describe("Type of the block"),
    outgoingEdgeId: z.string().optional().describe("Id of the edge to follow afterwards"),
  })
  .check((payload) => {
    const { type } = payload.value
    const schema = types.get(type)?.schema ?? unknownBlockSchema
    const read = schema.safeParse(payload.value)
    if (read.success) payload.value = read.data
    else payload.issues.push(...read.error.issues.map((issue) => ({ ...issue, input: undefined })))
  })
  .meta({ id: "Block", description: "A step of a flow" }) as unknown as z.ZodType<Block, Block>

/** The schemas of all types, for the published document, which describes each as the catalogue does. */
export const blockSchemas: readonly z.ZodType[] = [...types.values(), unknownType].map(
  ({ schema, catalogue: { description } }) =>
    schema.register(z.globalRegistry, { ...schema.meta(), description }),
)
