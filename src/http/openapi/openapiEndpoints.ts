/** Describes the endpoints that are not procedures: streams, events, exports, files of end users. */
import { filterMembers } from "../../routers/result/filter.ts"
import { timeZoneSchema } from "../../routers/result/timeFilter.ts"
import { componentRef, type Json } from "./openapiSchemas.ts"

const pathParameter = (name: string, description: string): Json => ({
  in: "path",
  name,
  required: true,
  schema: { type: "string", maxLength: 255 },
  description,
})

const sessionId = pathParameter("sessionId", "Id of the session, as the start gave it")

const query = (name: string, schema: Json, description?: string): Json => ({
  in: "query",
  name,
  schema,
  ...(description !== undefined && { description }),
})

const streamed = (description: string, ...types: string[]): Json => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])),
})

/** The filters of the list of results. */
const { status, version, conversationKey, search } = filterMembers
const filters = [
  query("timeFilter", componentRef("schemas", "TimeFilter")),
  query("timeZone", { type: "string", default: "UTC", maxLength: 64 }, timeZoneSchema.description),
  query("status", componentRef("schemas", "ResultStatus"), status.description),
  query("version", componentRef("schemas", "VersionNumber"), version.description),
  query(
    "conversationKey",
    { type: "string", minLength: 1, maxLength: 255 },
    conversationKey.description,
  ),
  query("search", { type: "string", minLength: 1, maxLength: 200 }, search.description),
]

/** By path, as in the document. */
export const endpointPaths: Record<string, Json> = {
  "/api/v1/sessions/{sessionId}/streamMessage": {
    post: {
      operationId: "streamMessage",
      "x-admits": ["anybody"],
      summary: "Stream the answer of a model",
      description:
        "After a step with the action `stream`: the answer of the model while it is written, one part " +
        "per line. `0:` comes before a piece of the text as a JSON string, `3:` before an error; `e:` " +
        "and `d:` end it. Then continue the chat with the whole text as its message. 400 when the chat " +
        "does not wait for a stream. The body is not read.",
      tags: ["Chat"],
      security: [],
      parameters: [sessionId],
      responses: {
        "200": streamed("The answer, line by line", "text/plain"),
        "404": {},
        "502": {},
      },
    },
  },
  "/api/v1/sessions/{sessionId}/events": {
    get: {
      operationId: "listenForEvents",
      "x-admits": ["anybody"],
      summary: "Listen to a chat",
      description:
        "Server-sent events. Those with a name tell what happens outside of the client's own turns: " +
        "`conversation.idle` (with what the flow says to silence), `.continued` (with its step), " +
        "`.paused`, `.resumed`, `.ended`, `.expired`. After a step with the action " +
        "`listenForWebhook`, one without a name holds the text to continue the chat with; then the " +
        "stream ends.",
      tags: ["Chat"],
      security: [],
      parameters: [sessionId],
      responses: {
        "200": streamed("The events", "text/event-stream"),
        "404": {},
      },
    },
  },
  "/api/v1/bots/{botId}/results/export": {
    get: {
      operationId: "exportResults",
      "x-admits": ["botReaders"],
      summary: "Export results",
      description:
        "All results that the list would show, newest first, as a file that is streamed. CSV has a " +
        "column for the id, the times, each input in the order of the flow and each variable, of all " +
        "versions in the span; `resultsTablePreferences` of the bot order and hide them by their ids " +
        "(`id`, `createdAt`, `isCompleted`, `versionNumber`, ids of blocks and variables). Cells that a " +
        "spreadsheet would run have an apostrophe in front. NDJSON has a `Result` on each line. A file " +
        "that breaks off is not complete: its connection ends without the last chunk.",
      tags: ["Results"],
      parameters: [
        pathParameter("botId", "Id of the bot"),
        query(
          "format",
          { type: "string", enum: ["csv", "ndjson"], default: "csv" },
          "How the file is written",
        ),
        ...filters,
      ],
      responses: {
        "200": streamed("The file", "text/csv", "application/x-ndjson"),
      },
    },
  },
  "/api/v1/bots/{botId}/files/{folder}/{fileName}": {
    get: {
      operationId: "getPrivateFile",
      "x-admits": ["botReaders"],
      summary: "Read a private file",
      description:
        "Leads to a file that an end user has sent and only members may read. Results hold this " +
        "address; the one that it leads to needs no token and works for a short time.",
      tags: ["Results"],
      parameters: [
        pathParameter("botId", "Id of the bot"),
        pathParameter("folder", "Made when the file was sent"),
        pathParameter("fileName", "Name under which the file is kept"),
      ],
      responses: {
        "200": {
          description: "The file, for callers that follow redirects",
          content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
        },
        "302": {
          description: "Where the file is",
          headers: {
            location: { description: "Address of the file", schema: { type: "string" } },
          },
        },
        "404": {},
      },
    },
  },
}
