/** How a chat behaves: general switches, texts, typing, page metadata, channels, origins. */
import { z } from "zod"
import { comparisonOperators } from "./condition.ts"
import { idSchema } from "./id.ts"
import { maxCodeLength } from "./theme.ts"

/** Most origins that a bot may allow. */
const maxAllowedOrigins = 50

const textOf = (description: string) => z.string().optional().describe(description)
const flagOf = (description: string) => z.boolean().optional().describe(description)
const numberOf = (description: string) => z.number().optional().describe(description)

const systemMessagesSchema = z
  .object({
    invalidMessage: textOf("Answer to a reply that is not valid"),
    botClosed: textOf("Shown when the bot is closed"),
    popupBlockedTitle: textOf("Title when the browser blocks a new tab"),
    popupBlockedDescription: textOf("Explanation when the browser blocks a new tab"),
    popupBlockedButtonLabel: textOf("Button that opens the blocked tab"),
    fileUploadError: textOf("Shown when an upload fails"),
    fileUploadSizeError: textOf("Shown for too large a file; may hold [[file]] and [[limit]]"),
    networkErrorTitle: textOf("Title when the connection fails"),
    networkErrorMessage: textOf("Explanation when the connection fails"),
    whatsAppPictureChoiceSelectLabel: textOf("Button under a picture on WhatsApp"),
  })
  .meta({ id: "SystemMessages", description: "Texts of the service; absent: its own words" })

const rememberUserSchema = z
  .object({
    isEnabled: flagOf("Whether a returning user continues with the same result; default false"),
    storage: z
      .enum(["session", "local"])
      .optional()
      .describe("Browser storage that remembers the user; default session"),
  })
  .meta({ id: "RememberUser", description: "Whether and where the client remembers the user" })

const generalSchema = z
  .object({
    isBrandingEnabled: flagOf("Whether to show the badge of the service; default false"),
    isTypingEmulationEnabled: flagOf("Superseded by typingEmulation.enabled; default true"),
    isInputPrefillEnabled: flagOf("Whether inputs show the known value; default false"),
    isHideQueryParamsEnabled: flagOf("Whether the client hides query parameters; default true"),
    isNewResultOnRefreshEnabled: flagOf("Superseded by rememberUser; default true"),
    rememberUser: rememberUserSchema.optional(),
    systemMessages: systemMessagesSchema.optional(),
  })
  .meta({ id: "GeneralSettings", description: "Switches and texts of the chat" })

const typingEmulationSchema = z
  .object({
    enabled: flagOf("Whether text appears as if typed; default true"),
    speed: numberOf("Words per minute; default 400"),
    maxDelay: numberOf("Longest delay, in seconds; default 3"),
    delayBetweenBubbles: z
      .number()
      .min(0)
      .max(5)
      .optional()
      .describe("Pause between two messages, in seconds; default 0"),
    isDisabledOnFirstMessage: flagOf("Whether the first message appears at once; default true"),
  })
  .meta({ id: "TypingEmulation", description: "Delays that the client makes before texts" })

const metadataSchema = z
  .object({
    title: textOf("Title of the page; default: name of the bot"),
    description: textOf("Description of the page"),
    imageUrl: textOf("Address of the preview picture"),
    favIconUrl: textOf("Address of the page icon"),
    customHeadCode: z
      .string()
      .max(maxCodeLength)
      .optional()
      .describe("HTML for the head of the page"),
    googleTagManagerId: textOf("Google Tag Manager id"),
    allowIndexing: flagOf("Whether search engines may list the page"),
  })
  .meta({ id: "PageMetadata", description: "What the page of the chat says about itself" })

const startComparisonSchema = z
  .object({
    id: idSchema.describe("Id of the comparison"),
    comparisonOperator: z.enum(comparisonOperators).optional().describe("How to compare"),
    value: textOf("Text to compare the first message with"),
  })
  .meta({ id: "StartComparison", description: "One comparison with the first message" })

const startConditionSchema = z
  .object({
    logicalOperator: z
      .enum(["AND", "OR"])
      .optional()
      .describe("Whether all or any of the comparisons must hold; default AND"),
    comparisons: z.array(startComparisonSchema).optional().describe("What is compared"),
  })
  .meta({ id: "StartCondition", description: "Which first messages start this bot" })

const forwardedEventSchema = z.enum(["all", "errorStatuses", "marketingStatuses"])

const whatsAppSchema = z
  .object({
    isEnabled: flagOf("Whether the bot answers on WhatsApp; default false"),
    startCondition: startConditionSchema.optional(),
    sessionExpiryTimeout: z
      .number()
      .min(0.01)
      .max(48)
      .optional()
      .describe("Hours of silence after which a chat ends; default 4"),
    isWebhookForwardingEnabled: flagOf("Whether delivery reports are passed on"),
    webhookForwardingEventTypes: z
      .union([forwardedEventSchema, z.array(forwardedEventSchema)])
      .optional()
      .describe("Which reports are passed on"),
    errorAndMarketingStatusWebhookForwardUrl: textOf("Address that receives the reports"),
  })
  .meta({ id: "WhatsAppSettings", description: "The WhatsApp channel" })

/** The settings of a bot; every member may be absent. */
export const settingsSchema = z
  .object({
    general: generalSchema.optional(),
    typingEmulation: typingEmulationSchema.optional(),
    metadata: metadataSchema.optional(),
    whatsApp: whatsAppSchema.optional(),
    publicShare: z
      .object({ isEnabled: flagOf("Whether anybody may copy the bot; default false") })
      .optional()
      .describe("Sharing of the flow itself"),
    security: z
      .object({
        allowedOrigins: z
          .array(z.string())
          .max(maxAllowedOrigins)
          .optional()
          .describe("Origins (scheme://host[:port]) that may embed the chat; none: any"),
      })
      .optional()
      .describe("Who may use the chat"),
  })
  .meta({ id: "Settings", description: "How a chat behaves; absent members have the defaults" })

export type Settings = z.infer<typeof settingsSchema>
