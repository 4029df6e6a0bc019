/**
 * What refusals say to programs, by reason: the document, the answers of all doors and the types of the client
 * are made of these schemas, and a refusal without its data does not compile.
 *
 * Reasons without data are of four kinds: the request itself names the only thing they are about
 * (`FOLDER_UNKNOWN`, `MEMBER_EXISTS`, `PLACE_UNKNOWN`); the answer has it already, as the issues of
 * `BAD_REQUEST` and `BOT_INVALID` or the header `Allow`; only a person can act on them (`BOT_CLOSED`,
 * `ORIGIN_REFUSED`); or the facts are not for the caller, as the plan of a workspace is not for visitors
 * (`CHATS_LIMIT_REACHED`).
 */
import { z } from "zod"

const count = z.int().min(0)

const most = z.object({ limit: count.describe("How many there may be") }).meta({
  id: "CountLimit",
  description: "How many of something there may be",
  example: { limit: 500 },
})

const size = z
  .object({
    limit: count.describe("How much is taken"),
    unit: z
      .enum(["bytes", "bytesInMemory", "characters", "values", "parts"])
      .describe("What is counted; `parts` are those in which the body arrives"),
  })
  .meta({
    id: "SizeLimit",
    description: "How large something may be",
    example: { limit: 4_194_304, unit: "bytes" },
  })

const chatSize = size.extend({ blockId: z.string().optional().describe("Id of the block") }).meta({
  id: "ChatSizeLimit",
  description: "How large a chat or one of its variables may be, and the block that exceeds it",
  example: { limit: 262_144, unit: "characters", blockId: "b2" },
})

const amount = z
  .object({
    count: count.optional().describe("How many; absent: only bytes are limited"),
    bytes: count.describe("Their size together"),
  })
  .meta({ id: "StoredAmount", description: "How much is stored" })

const room = z
  .object({
    used: amount.describe("What there is now"),
    limit: amount.describe("What there may be"),
  })
  .meta({
    id: "StorageLimit",
    description: "How much is stored, and how much may be",
    example: {
      used: { count: 120, bytes: 99_614_720 },
      limit: { count: 1_000, bytes: 104_857_600 },
    },
  })

const retryAfter = z.int().min(1).describe("Seconds to wait, as in the header `Retry-After`")

const staleDraft = z
  .object({
    elements: z
      .array(z.string())
      .describe(
        "The elements that another change touched, too; empty: it replaced the whole draft",
      ),
    by: z
      .object({
        id: z.string().describe("Id of the user"),
        name: z.string().nullable().describe("Name of the user"),
        email: z.string().describe("Address of the user"),
      })
      .meta({ id: "DraftAuthor", description: "Who changed a draft" })
      .nullable()
      .describe("Who made that change; null: it is not known, or the account is gone"),
    at: z.iso.datetime().describe("When that change was stored"),
    revision: count.describe("The revision of the draft now"),
  })
  .meta({
    id: "StaleDraft",
    description: "The change that came first",
    example: {
      elements: ["variable:city"],
      by: { id: "u1", name: "Ann", email: "ann@example.com" },
      at: "2026-05-22T08:15:30.123Z",
      revision: 7,
    },
  })

/** By reason; each schema has an example. */
export const problemData = {
  BATCH_TOO_LARGE: most,
  COLLABORATOR_LIMIT_REACHED: most,
  CREDENTIAL_LIMIT_REACHED: most,
  ENDPOINT_LIMIT_REACHED: most,
  FILE_TOO_LARGE: size,
  FOLDER_LIMIT_REACHED: most,
  LOG_FULL: most,
  MEMBER_LIMIT_REACHED: most,
  SEAT_LIMIT_REACHED: most,
  TOKEN_LIMIT_REACHED: most,
  VARIABLE_LIMIT_REACHED: most,
  VARIABLE_UNKNOWN: z
    .object({ name: z.string().describe("The name that no variable has, perhaps cut") })
    .meta({
      id: "UnknownVariable",
      description: "The first variable that the bots of the chat do not have",
      example: { name: "City" },
    }),
  WORKSPACE_LIMIT_REACHED: most,
  ROLE_MISSING: z
    .object({ role: z.string().describe("The role in the workspace that this takes") })
    .meta({
      id: "MissingRole",
      description: "The role that this takes",
      example: { role: "ADMIN" },
    }),
  SCOPE_MISSING: z.object({ scope: z.string().describe("The scope that this takes") }).meta({
    id: "MissingScope",
    description: "The scope that this takes",
    example: { scope: "bots:write" },
  }),
  TOKEN_TOO_NARROW: z
    .object({
      limitedBy: z
        .enum(["place", "scopes", "expiresAt"])
        .describe("The limit of the token that forbids this; `place`: its workspace or bots"),
    })
    .meta({
      id: "TokenLimits",
      description: "How the token is limited",
      example: { limitedBy: "scopes" },
    }),
  DOMAIN_TAKEN: z.object({ customDomain: z.string().describe("The domain and path") }).meta({
    id: "TakenDomain",
    description: "The custom domain that another bot has",
    example: { customDomain: "chat.example.com/help" },
  }),
  FILES_FULL: room,
  NAME_TAKEN: z.object({ name: z.string().describe("The name") }).meta({
    id: "TakenName",
    description: "The name that another workspace of the caller has",
    example: { name: "Shop" },
  }),
  PUBLIC_ID_TAKEN: z.object({ publicId: z.string().describe("The public id") }).meta({
    id: "TakenPublicId",
    description: "The public id that another bot has",
    example: { publicId: "newsletter" },
  }),
  STRIPE_ID_TAKEN: z.object({ workspaceId: z.string().describe("Id of that workspace") }).meta({
    id: "TakenStripeId",
    description: "The workspace that has the id at the payment processor",
    example: { workspaceId: "k2b7q0v1x9m4c8n5z3a6s1d0" },
  }),
  STALE_DRAFT: staleDraft,
  THEME_TEMPLATES_FULL: room,
  VERSIONS_FULL: room,
  PAYLOAD_TOO_LARGE: size,
  CHAT_TOO_LARGE: chatSize,
  FLOW_TOO_EXPENSIVE: z
    .object({
      blockId: z
        .string()
        .optional()
        .describe("Id of the block; absent: the work is not that of a block"),
    })
    .meta({
      id: "ExpensiveBlock",
      description: "Where the work became too much",
      example: { blockId: "b2" },
    }),
  TOO_MANY_REQUESTS: z
    .object({ limit: z.string().describe("Name of the limit"), retryAfter })
    .meta({
      id: "RateLimit",
      description: "The limit that was reached, and when to try again",
      example: { limit: "management", retryAfter: 3 },
    }),
  SERVICE_UNAVAILABLE: z
    .object({ retryAfter })
    .meta({ id: "Retry", description: "When to try again", example: { retryAfter: 1 } }),
} as const

/** The data of each reason that has some. */
export type ProblemData = {
  [Reason in keyof typeof problemData]: z.output<(typeof problemData)[Reason]>
}
