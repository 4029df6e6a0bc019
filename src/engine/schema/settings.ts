/** Settings of a chat: general switches, texts, typing, page metadata, channels, origins. */

import { z } from "zod"
import { comparisonOperatorSchema, logicalOperatorSchema } from "./condition.ts"
import { listOf } from "./lists.ts"
import {
  idSchema,
  maxCollectSeconds,
  maxSilence,
  minSilence,
  namedObject,
  optional,
  variableIdSchema,
  withDefault,
} from "./sharedMembers.ts"

/** Max allowed origins of a bot. */
const maxAllowedOrigins = 50

/** Max variables that a tool returns. */
const maxToolVariables = 50

const maxRetentionDays = 3_650

const startComparisonSchema = namedObject(
  "StartComparison",
  "One comparison with the first message",
  {
    id: idSchema.describe("Id of the comparison"),
    comparisonOperator: comparisonOperatorSchema.optional(),
    value: optional.text("Text to compare the first message with"),
  },
)

const forwardedEventSchema = z.enum(["all", "errorStatuses", "marketingStatuses"])

/** A pattern in the document: typescript-fetch does not compile a choice of an enum and a list of it. */
const forwardedEventsSchema = z
  .union([forwardedEventSchema, listOf(forwardedEventSchema, 10)])
  .meta({
    id: "ForwardedEvents",
    description: "One kind of delivery report, or several",
    override: ({ jsonSchema }) => {
      const pattern = `^(?:${forwardedEventSchema.options.join("|")})$`
      const event = { type: "string" as const, pattern }
      jsonSchema.anyOf = [event, { type: "array", items: event }]
    },
  })

export const languageSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a language tag such as de or pt-BR")
  .meta({ id: "LanguageTag", description: "BCP 47 tag of a language, such as `de` or `pt-BR`" })

/** The settings of a bot; every member may be absent. */
export const settingsSchema = namedObject(
  "Settings",
  "How a chat behaves; absent members have the defaults",
  {
    general: optional.named("GeneralSettings", "Switches and texts of the chat", {
      language: languageSchema
        .optional()
        .describe(
          "Language of built-in texts; absent or unsupported: that of the visitor, else English",
        ),
      isBrandingEnabled: optional.flag("Whether to show the badge of the service", false),
      isTypingEmulationEnabled: optional.flag("Superseded by typingEmulation.enabled", true),
      isInputPrefillEnabled: optional.flag("Whether inputs show the known value", false),
      isHideQueryParamsEnabled: optional.flag("Whether the client hides query parameters", true),
      isNewResultOnRefreshEnabled: optional.flag("Superseded by rememberUser", true),
      isRestartEnabled: optional.flag(
        "Whether the client offers a restart once the chat is over",
        false,
      ),
      isTool: optional.flag(
        "Whether assistants may call the bot, as the tool at `/mcp/bots/{publicId}`",
        false,
      ),
      toolDescription: optional.text("What the tool does and when to call it, for assistants"),
      toolVariableIds: listOf(variableIdSchema, maxToolVariables)
        .optional()
        .describe(
          "Ids of variables whose values the tool returns once the chat is over; session variables never are",
        ),
      rememberUser: optional.named(
        "RememberUser",
        "Whether and where the client remembers the user",
        {
          isEnabled: optional.flag(
            "Whether a returning user continues with the same result",
            false,
          ),
          storage: optional.oneOf(
            "Browser storage that remembers the user",
            ["session", "local"],
            "session",
          ),
        },
      ),
      systemMessages: optional.named(
        "SystemMessages",
        "Texts of the service; absent: its own words",
        {
          invalidMessage: optional.text("Answer to an invalid reply"),
          botClosed: optional.text("Shown when the bot is closed"),
          popupBlockedTitle: optional.text("Title when the browser blocks a new tab"),
          popupBlockedDescription: optional.text("Explanation when the browser blocks a new tab"),
          popupBlockedButtonLabel: optional.text("Button that opens the blocked tab"),
          fileUploadError: optional.text("Shown when an upload fails"),
          fileUploadSizeError: optional.text(
            "Shown for too large a file; may hold [[file]] and [[limit]]",
          ),
          networkErrorTitle: optional.text("Title when the connection fails"),
          networkErrorMessage: optional.text("Explanation when the connection fails"),
          whatsAppPictureChoiceSelectLabel: optional.text("Button under a picture on WhatsApp"),
        },
      ),
    }),
    typingEmulation: optional.named(
      "TypingEmulation",
      "Delays that the client makes before texts",
      {
        enabled: optional.flag("Whether text appears as if typed", true),
        speed: optional.number("Words per minute", 400),
        maxDelay: optional.number("Max delay, in seconds", 3),
        delayBetweenBubbles: optional.numberBetween(
          "Pause between two messages, in seconds; default 0",
          0,
          5,
        ),
        isDisabledOnFirstMessage: optional.flag("Whether the first message appears at once", true),
      },
    ),
    metadata: optional.named("PageMetadata", "Metadata of the chat's page", {
      title: optional.text("Title of the page; default: name of the bot"),
      description: optional.text("Description of the page"),
      imageUrl: optional.text("Address of the preview picture"),
      favIconUrl: optional.text("Address of the page icon"),
      customHeadCode: optional.code("HTML for the head of the page", "html"),
      googleTagManagerId: optional.text("Google Tag Manager id"),
      allowIndexing: optional.flag("Whether search engines may list the page"),
    }),
    whatsApp: optional.named("WhatsAppSettings", "The WhatsApp channel", {
      isEnabled: optional.flag("Whether the bot answers on WhatsApp", false),
      startCondition: optional.named("StartCondition", "First messages that start this bot", {
        logicalOperator: logicalOperatorSchema
          .optional()
          .meta(withDefault("Whether all or any of the comparisons must hold", "AND")),
        comparisons: optional.list("Comparisons with the first message", startComparisonSchema),
      }),
      sessionExpiryTimeout: optional.numberBetween(
        "Hours of silence after which a chat ends; default 4",
        0.01,
        48,
      ),
      isWebhookForwardingEnabled: optional.flag("Whether to forward delivery reports"),
      webhookForwardingEventTypes: forwardedEventsSchema.optional().describe("Reports to forward"),
      errorAndMarketingStatusWebhookForwardUrl: optional.text("Address that receives the reports"),
    }),
    sessions: optional.named("SessionSettings", "Reactions to silence, and retention of results", {
      idleAfter: listOf(z.number().min(minSilence).max(maxSilence), 5)
        .optional()
        .describe("Seconds of silence after which idle events are sent; none: never"),
      expiresAfter: optional.numberBetween(
        "Seconds of silence after which a chat ends; default 48 hours",
        60,
        maxSilence,
      ),
      collectSeconds: optional.numberBetween(
        "Seconds for which messages are joined; default 0",
        0,
        maxCollectSeconds,
      ),
      retentionDays: z
        .number()
        .int()
        .min(0)
        .max(maxRetentionDays)
        .optional()
        .describe(
          "Days after which results are deleted; 0: once their chat is over; absent: as the service does",
        ),
    }),
    publicShare: optional.object("Sharing of the flow itself", {
      isEnabled: optional.flag("Whether everyone may copy the bot", false),
    }),
    security: optional.object("Access to the chat", {
      allowedOrigins: listOf(z.string(), maxAllowedOrigins)
        .optional()
        .describe("Origins (scheme://host[:port]) that may embed the chat; none: any"),
    }),
  },
)

export type Settings = z.infer<typeof settingsSchema>
