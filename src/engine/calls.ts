/** Calls of the engine to the outside world: each kind, as data, and its outcome. */
import type { SpokenLine } from "./shown.ts"

/** The failure of a call; it becomes a log and never stops the process. */
export type Failure = {
  failed: true
  description: string
  details?: string
  /**
   * `credentials`: missing, not this workspace's, or refused. `timeout`: no answer in time. `blocked`:
   * an address that must not be called. `limit`: too many calls of this kind in one turn, or the workspace has used
   * its tokens of language models of the month.
   */
  reason?: "credentials" | "timeout" | "blocked" | "limit"
  /** Status of the refusal, if any. */
  status?: number
  /** As in `Log`. */
  isInternal?: true
}

/** JavaScript of an author with its globals. */
export type Script = {
  /** Body of a function, variables already replaced by their ids. */
  code: string
  /** Globals by name, plain JSON; types of variables already guessed. */
  globals: Record<string, unknown>
  /** `expression`: synchronous, no helpers. `program`: async, with setVariable and fetch. */
  mode: "expression" | "program"
}

export type ScriptValue = string | number | boolean | null | undefined | (string | null)[]

/** The outcome of a script; `value` is plain JSON. */
export type ScriptOutcome =
  | {
      value?: unknown
      /** Last call of `setVariable(name, value)` per name. */
      assigned?: Record<string, unknown>
    }
  | Failure

/** Every kind of call: its request and outcome. */
type Calls = {
  /** Evaluate scripts, in order, in one trip to the sandbox. */
  script: { ask: { scripts: Script[] }; outcome: { results: ScriptOutcome[] } }
  /**
   * Load another bot of the workspace: its published version, or in a preview the draft, if the caller may
   * see it.
   */
  bot: { ask: { botId: string }; outcome: { version: string } | Failure }
  /** Read the messages of a result so far, for a transcript. */
  history: { ask: { resultId: string }; outcome: { lines: SpokenLine[] } | Failure }
  /** Prepare a payment with the provider, before the end user is asked to pay. */
  paymentIntent: { ask: PaymentAsk; outcome: PaymentIntent | Failure }
  /** Ask the provider whether a prepared payment was made. */
  paymentCheck: { ask: PaymentCheckAsk; outcome: PaymentState | Failure }
  /** Make one HTTP request through the network guard; a refusal by status is an answer. */
  http: { ask: HttpAsk; outcome: HttpAnswer | Failure }
  /** Read or write cells of a Google spreadsheet; a refusal by status is an answer. */
  sheet: { ask: SheetRequest & { credential: Credential }; outcome: HttpAnswer | Failure }
  /** Send a mail. */
  email: { ask: EmailAsk; outcome: { messageId?: string; threadId?: string } | Failure }
  /** Let a language model answer, running the author's tools until it has. */
  model: { ask: ModelAsk; outcome: ModelAnswer | Failure }
  /** Call a tool of an MCP server; a result that reports an error is a failure. */
  mcpTool: { ask: McpToolAsk; outcome: McpToolAnswer | Failure }
  /** Draw a QR code as a PNG and keep it as a file of the chat. */
  qrCode: { ask: { text: string }; outcome: { url: string } | Failure }
  /**
   * Take the data of another system's call to a waiting block: an object as JSON; absent: no call yet. `step`
   * is the session's before this turn, which identifies this wait.
   */
  inboundCall: { ask: { blockId: string; step: number }; outcome: { body?: string } | Failure }
  /** Sign claims with a credential (RFC 7519, HS256). */
  jwt: { ask: JwtAsk; outcome: { token: string } | Failure }
}

/** A credential of the workspace that a call needs; it must be of this type. */
export type Credential = { id: string; type: string }

/** A member of the credential's data, inserted when the call is made. */
export type Secret = {
  secret: string
  /** Default for a missing member; absent: the call fails. */
  fallback?: string
  /**
   * `base`: an address, without slashes at its end. `origin`: only scheme and host of an address.
   * `json`: as JSON, quotes included.
   */
  as?: "base" | "origin" | "json"
}

/** Text whose pieces are joined once the secrets are known. */
export type Template = string | (string | Secret)[]

/** A request and how to make it. */
export type HttpAsk = {
  request: HttpRequest
  timeoutMs: number
  credential?: Credential
  /** Id of an `http proxy` credential to go through. */
  proxyCredentialsId?: string
  /** True: repeats of the same turn carry the same `Idempotency-Key` header. */
  sendsIdempotencyKey?: boolean
  /** Save the body of a successful answer as a file of the chat instead of reading it. */
  savesFile?: { contentType: string; extension: string }
}

export type HttpRequest = {
  /** In capitals. */
  method: string
  url: Template
  /** Appended to the address, percent-encoded (RFC 3986). */
  query?: [name: string, value: string][]
  headers?: [name: string, value: Template][]
  /** Sent as `Authorization: Basic`. */
  basicAuth?: { user: Template; password: Template }
  body?: HttpBody
}

/** A body; a content type among the headers wins over its own. */
export type HttpBody =
  | { text: Template; contentType?: string }
  | { form: [name: string, value: string][] }
  /** Form data with one file, first fetched from its address. */
  | { multipart: [name: string, value: string][]; file: { name: string; url: string } }

export type HttpAnswer = {
  status: number
  /** The body; empty when saved as a file. */
  text: string
  /** Address of the saved file. */
  fileUrl?: string
}

/** A mail and its sender. */
export type EmailAsk = {
  /** Of type `smtp` or `gmail`; absent: the mail server of this service. */
  credential?: Credential
  to: string[]
  cc?: string[]
  bcc?: string[]
  replyTo?: string
  /** Whole sender; absent: that of the credential. */
  from?: string
  /** Display name in place of the credential's own. */
  senderName?: string
  subject?: string
  /** Body as plain text or as HTML: one of the two. */
  text?: string
  html?: string
  /** Addresses of files. */
  attachments?: string[]
  /** True: only files uploaded in this chat, or publicly to this bot, may be attached; else the mail fails. */
  attachesOnlyUploads: boolean
  /** Conversation that the mail belongs to (Gmail). */
  threadId?: string
}

/** The protocol that a provider speaks. */
export type ModelProtocol =
  /** OpenAI chat completions, which most providers understand. */
  | "chatCompletions"
  /** OpenAI responses; the conversation is kept at the provider. */
  | "responses"
  /** Anthropic messages. */
  | "anthropicMessages"
  /** A Dify app; the conversation is kept at the provider. */
  | "difyChat"

/** A question to a language model. */
export type ModelAsk = {
  protocol: ModelProtocol
  /**
   * Holds `apiKey` and perhaps `baseUrl`, which wins over the one given here (Dify: the origin of
   * `apiEndpoint`).
   */
  credential: Credential
  /** Root of the API. */
  baseUrl: string
  /** Deployments on Azure: `api-version` of the query. */
  apiVersion?: string
  /** Absent where the app decides (Dify). */
  model?: string
  messages: ModelMessage[]
  temperature?: number
  maxTokens?: number
  tools?: ModelTool[]
  /** MCP servers whose tools the model may call, too. */
  mcpServers?: McpServerAsk[]
  /** Max answers of the model, including those that only call tools. */
  maxSteps: number
  /** JSON Schema of an object; the text of the answer is then such an object. */
  answerSchema?: object
  /** Conversation to continue: id of a response, or of a Dify conversation. */
  conversationId?: string
  /** Tools that the provider runs itself. */
  hosted?: {
    fileSearch?: { vectorStoreIds: string[]; maxResults?: number; scoreThreshold?: number }
    webSearch?: boolean
    codeInterpreter?: boolean
  }
  /** Further data for a Dify app. */
  app?: { user: string; inputs: Record<string, string> }
  /** Milliseconds to wait before the request. */
  delayMs?: number
}

export type ModelMessage = {
  role: "system" | "user" | "assistant"
  content: string | ModelPart[]
  name?: string
}

/** A text, or an address: a picture if there is one, else text too. A blank line separates texts. */
export type ModelPart = { text: string } | { url: string }

/** A function of the author that a model may call. */
export type ModelTool = {
  name: string
  description?: string
  /** JSON Schema of an object. */
  parameters: object
  /** The arguments become further globals. Its value returns as text: JSON, or empty. */
  script: Script
}

/** Tools of an MCP server. */
export type McpServerAsk = {
  credential: Credential
  /** Names of those that are offered; absent: all that the server lists. */
  tools?: string[]
}

export type ModelAnswer = {
  text: string
  /** Tokens, summed over all steps. */
  usage?: { total?: number; prompt?: number; completion?: number }
  /** For `conversationId` of the next question. */
  conversationId?: string
  /** Last call of `setVariable(name, value)` by tools, per name. */
  assigned?: Record<string, unknown>
}

/** What a call of a model used, as far as the provider reported it before the call ended or failed. */
export type ModelUse = {
  /** A name from a fixed list. */
  provider: string
  /** Absent: the provider's app decides (Dify), or the name has characters that models' names lack. */
  model?: string
  inputTokens?: number
  outputTokens?: number
}

/** A call of a tool that a model has made. */
export type ToolUse = { tool: string; outcome: "ok" | "failed"; ms: number }

/** A tool of an MCP server, whose address and token the credential holds. */
export type McpToolAsk = {
  credential: Credential
  tool: string
  /** Values of variables: the schema of the tool says which are numbers, flags, lists or objects. */
  arguments: [name: string, value: string | (string | null)[]][]
}

export type McpToolAnswer = {
  /** The texts of the result, one below the other. */
  text: string
  /** Structured content, as JSON. */
  data?: unknown
}

/** Claims to sign; `key` and `keyId` are members of the credential. */
type JwtAsk = {
  credential: Credential
  key: string
  keyId: string
  claims: Record<string, string | boolean>
}

/** The account at Stripe that collects a payment; `isPreview`: with the test keys, if any. */
type PaymentAccount = { credentialsId: string; isPreview: boolean }

export type PaymentAsk = PaymentAccount & {
  /** Whole number of the smallest units of the currency: cents, or yen. */
  amount: number
  /** ISO 4217 code, upper case. */
  currency: string
  description?: string
  receiptEmail?: string
}

/** A payment to look up with the keys that prepared it. */
export type PaymentCheckAsk = PaymentAccount & {
  intentId: string
  /** The reply that claims the payment; not sent to the provider. */
  carry: string
}

export type PaymentIntent = {
  intentId: string
  /** Lets the client pay, and nothing else. */
  clientSecret: string
  publicKey: string
}

type PaymentState = {
  /** True also while the money is certain but on its way (Stripe: `processing`, `requires_capture`). */
  succeeded: boolean
}

export type CallKind = keyof Calls

/** A call to the outside world, ready to be sent. */
export type Call<K extends CallKind = CallKind> = {
  [k in K]: {
    kind: k
    /** Plain JSON, returned to the block as `context.carry` beside the outcome. */
    carry?: unknown
  } & Calls[k]["ask"]
}[K]

/** The outcome of a call of that kind. */
export type Outcome<K extends CallKind = CallKind> = Calls[K]["outcome"]

export function isFailure(outcome: object): outcome is Failure {
  return "failed" in outcome && outcome.failed === true
}

/** A change of a variable; its value is normalised when it is stored. */
export type Assignment = {
  variableId: string
  value: unknown
  /** True: the words of a visitor, which are shown as plain text; absent: false. */
  isPlain?: boolean | undefined
}

/** The change of a variable; none without a variable. */
export function assignTo(
  variableId: string | undefined,
  value: unknown,
  isPlain = false,
): Assignment[] {
  if (!variableId) return []
  return [isPlain ? { variableId, value, isPlain } : { variableId, value }]
}

/** The changes, marked as the words of a visitor. */
export function asPlain(assignments: readonly Assignment[]): Assignment[] {
  return assignments.map((assignment) => ({ ...assignment, isPlain: true }))
}

/** One request; values are parsed as if typed by a person. */
export type SheetRequest = { spreadsheetId: string } & (
  | { reads: GridRange }
  /** A row below the last one of the table at a range; null leaves a cell as it is. */
  | { appendsTo: string; row: (string | null)[] }
  | { overwrites: { gridRange: GridRange; value: string }[] }
)

/** A part of a tab (Sheets API v4): indexes start at 0, ends are not included. */
type GridRange = {
  sheetId: number
  startRowIndex?: number
  endRowIndex?: number
  startColumnIndex?: number
  endColumnIndex?: number
}
