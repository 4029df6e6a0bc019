/** The tables as Kysely sees them: columns in camel case, one type per table, kept true by a test. */
import type { ColumnType, Generated, Insertable, Selectable, Updateable } from "kysely"
import type { Plan } from "../../lib/plans.ts"
import type {
  DefaultTimestamp,
  GivenTimestamp,
  Json,
  NullableTimestamp,
  OptionalJson,
} from "./columnTypes.ts"
import type { CountTables } from "./countTables.ts"
import type { EventTables } from "./eventTables.ts"
import type { HotTables } from "./hotTables.ts"
import type { VersionTables } from "./versionTables.ts"

/** The role of a member in a workspace; a guest only sees the bots shared with them. */
export type MemberRole = "ADMIN" | "MEMBER" | "GUEST"

/** The role of a collaborator of one bot. */
export type CollaborationType = "READ" | "WRITE" | "FULL_ACCESS"

/** Tables of accounts, workspaces, drafts, usage and jobs. */
type OtherTables = {
  /** `users`: people who may hold tokens; emails are lower case. */
  users: {
    id: string
    email: string
    name: string | null
    image: string | null
    emailVerifiedAt: NullableTimestamp
    termsAcceptedAt: NullableTimestamp
    preferences: OptionalJson<Record<string, unknown>>
    lastActivityAt: NullableTimestamp
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
    disabledAt: NullableTimestamp
    isOperator: Generated<boolean>
  }

  /** `api_tokens`: SHA-256 hashes of tokens, and their limits; `hint` is the last four characters. */
  apiTokens: {
    id: string
    ownerId: string
    name: string
    tokenHash: Buffer
    hint: string
    scopes: string[] | null
    workspaceId: string | null
    botIds: string[] | null
    expiresAt: NullableTimestamp
    lastUsedAt: NullableTimestamp
    revokedAt: NullableTimestamp
    createdAt: DefaultTimestamp
  }

  /** `user_sessions`: SHA-256 hashes of the cookies of people who signed in. */
  userSessions: {
    id: string
    userId: string
    secretHash: Buffer
    method: string
    userAgent: string | null
    lastUsedAt: NullableTimestamp
    expiresAt: GivenTimestamp
    createdAt: DefaultTimestamp
  }

  /** `sign_in_links`: hashes of links that open a session once. */
  signInLinks: {
    codeHash: Buffer
    userId: string
    expiresAt: GivenTimestamp
  }

  /** `sign_in_codes`: the last code that was mailed to an address; emails are lower case. */
  signInCodes: {
    email: string
    codeHash: Buffer
    attempts: Generated<number>
    expiresAt: GivenTimestamp
    sent: Generated<number>
    since: GivenTimestamp
  }

  /** `workspaces`: never written by a chat. */
  workspaces: {
    id: string
    name: string
    /** Whose share its chats count for, even once they have left; null: not known. */
    creatorId: string | null
    icon: string | null
    plan: Generated<Plan>
    stripeId: string | null
    settings: OptionalJson<Record<string, unknown> | null>
    customChatsLimit: number | null
    customSeatsLimit: number | null
    chatsHardLimit: number | null
    isQuarantined: Generated<boolean>
    isSuspended: Generated<boolean>
    isPastDue: Generated<boolean>
    isVerified: boolean | null
    lastActivityAt: NullableTimestamp
    inactiveFirstEmailSentAt: NullableTimestamp
    inactiveSecondEmailSentAt: NullableTimestamp
    quotaFirstEmailSentAt: NullableTimestamp
    quotaSecondEmailSentAt: NullableTimestamp
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `workspace_members`: one role per user and workspace. */
  workspaceMembers: {
    workspaceId: string
    userId: string
    role: MemberRole
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `workspace_invitations`: people who have not answered yet; emails are lower case. */
  workspaceInvitations: {
    id: string
    workspaceId: string
    email: string
    role: MemberRole
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `folders`: no parent = at the root of the workspace. */
  folders: {
    id: string
    workspaceId: string
    parentFolderId: string | null
    name: string
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `theme_templates`: themes that a workspace keeps. */
  themeTemplates: {
    id: string
    workspaceId: string
    name: string
    theme: Json<Record<string, unknown>>
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `author_files`: no bot = of the whole workspace; no `openUntil` = settled. */
  authorFiles: {
    id: string
    workspaceId: string
    botId: string | null
    key: string
    name: string
    bytes: number
    openUntil: NullableTimestamp
    deletedAt: NullableTimestamp
    createdAt: DefaultTimestamp
  }

  /** `credentials`: encrypted secrets of a workspace. */
  credentials: {
    id: string
    workspaceId: string
    type: string
    name: string
    data: Buffer
    nonce: Buffer
    keyId: number
    allowedHosts: Generated<string[]>
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `user_credentials`: encrypted secrets of a user. */
  userCredentials: {
    id: string
    userId: string
    type: string
    name: string
    data: Buffer
    nonce: Buffer
    keyId: number
    allowedHosts: Generated<string[]>
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `workspace_variables`: no `value` = a secret, encrypted. */
  workspaceVariables: {
    workspaceId: string
    name: string
    value: string | null
    data: Buffer | null
    nonce: Buffer | null
    keyId: number | null
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /**
   * `bots`: drafts; `events` is null in schema versions 3 to 5. Those in the bin are archived, too; others
   * that are archived were deleted for good, and wait until their rows are no longer counted.
   */
  bots: {
    id: string
    workspaceId: string
    folderId: string | null
    version: string
    name: string
    icon: string | null
    events: OptionalJson<unknown[] | null>
    groups: OptionalJson<unknown[]>
    edges: OptionalJson<unknown[]>
    variables: OptionalJson<unknown[]>
    theme: OptionalJson<Record<string, unknown>>
    settings: OptionalJson<Record<string, unknown>>
    selectedThemeTemplateId: string | null
    publicId: string | null
    customDomain: string | null
    resultsTablePreferences: OptionalJson<Record<string, unknown> | null>
    isArchived: Generated<boolean>
    isInBin: Generated<boolean>
    isClosed: Generated<boolean>
    closedReason: string | null
    whatsappCredentialsId: string | null
    riskLevel: number | null
    riskLevelBy: string | null
    riskFound: string[] | null
    revision: Generated<number>
    archivedAt: NullableTimestamp
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `domain_proofs`: hosts that a TXT record has proven; `lostAt`: since when it is missing. */
  domainProofs: {
    host: string
    workspaceId: string
    provenAt: GivenTimestamp
    checkedAt: GivenTimestamp
    lostAt: NullableTimestamp
  }

  /** `secret_check`: one row, against which a start checks its secret. */
  secretCheck: {
    isOnly: Generated<boolean>
    value: Buffer
  }

  /** `bot_collaborators`: users who may open a bot besides the members of its workspace. */
  botCollaborators: {
    botId: string
    userId: string
    type: CollaborationType
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `bot_invitations`: people who have not answered yet; emails are lower case. */
  botInvitations: {
    id: string
    botId: string
    email: string
    type: CollaborationType
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `workspace_usage`: chats per workspace and month; those below `watermark` are `settled`. */
  workspaceUsage: {
    workspaceId: string
    periodStart: ColumnType<string, Date | string, Date | string>
    chats: Generated<number>
    watermark: string | null
    updatedAt: DefaultTimestamp
    settled: Generated<number>
    quarantinedAt: NullableTimestamp
  }

  /** `model_usage`: tokens of language models per workspace and month. */
  modelUsage: {
    workspaceId: string
    periodStart: ColumnType<string, Date | string, Date | string>
    calls: number
    inputTokens: number
    outputTokens: number
  }

  /** `usage_hours`: chats by workspace of each hour that may still grow, from one result id on. */
  usageHours: {
    hour: GivenTimestamp
    fromId: string
    chats: Json<Record<string, number>>
    countedAt: GivenTimestamp
  }

  /** `jobs`: recurring jobs, one row each. */
  jobs: {
    name: string
    runAt: DefaultTimestamp
    claimedUntil: NullableTimestamp
    claimedBy: string | null
    lastStartedAt: NullableTimestamp
    lastFinishedAt: NullableTimestamp
    lastError: string | null
  }

  /** `rate_limits`: what several processes count together; `expire` in milliseconds since 1970. */
  rateLimits: {
    key: string
    points: Generated<number>
    expire: number | null
  }

  /** `parley_migrations`: what `migrate` has applied. */
  parleyMigrations: {
    number: number
    name: string
    checksum: string
    appliedAt: DefaultTimestamp
    compatibleFrom: number | null
  }
}

/** Every table by its name, for Kysely. */
export type Database = OtherTables & VersionTables & HotTables & EventTables & CountTables

/** A row of a table as it is read. */
export type Row<Table extends keyof Database> = Selectable<Database[Table]>

/** A row to insert. */
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>

/** Columns to update. */
export type RowChange<Table extends keyof Database> = Updateable<Database[Table]>
