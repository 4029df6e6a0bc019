/** Describes the endpoints that are not procedures: streams, events, exports, files of end users. */

import { z } from "zod"
import {
  exampleLine,
  exampleQuestion,
  exampleReplyIds,
} from "../../routers/conversation/conversationSchemas.ts"
import {
  keyedHearingSchema,
  sessionHearingSchema,
} from "../../routers/conversation/hearMessages.ts"
import { hearingSchema } from "../../routers/edit/hearBot.ts"
import { exampleIds, exampleTime } from "../../routers/examples.ts"
import { exportInputSchema } from "../../routers/result/exportOperation.ts"
import { exampleResult } from "../../routers/result/resultOperations.ts"
import { botIdSchema, sessionIdSchema } from "../../routers/sharedSchemas.ts"
import { isJson, type Json } from "./openapiSchemas.ts"
import { openApi32Path } from "./streamItems.ts"

/** A body of text, with an example for each of its types; OpenAPI 3.2 types the parts of streams. */
const streamed = (description: string, examples: Record<string, string>): Json => ({
  description,
  content: Object.fromEntries(
    Object.entries(examples).map(([type, example]) => [
      type,
      {
        schema: { type: "string" },
        ...(type !== "text/csv" && { "x-item-schema": openApi32Path }),
        example,
      },
    ]),
  ),
})

const ids: Readonly<Record<string, unknown>> = exampleIds

/** Describes the members of a schema as parameters in the path or the query. */
function parametersIn(place: "path" | "query", members: z.ZodObject): Json[] {
  const text = JSON.stringify(z.toJSONSchema(members, { io: "input" }).properties)
  const properties: Json = JSON.parse(text.replaceAll("#/$defs/", "#/components/schemas/"))
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = isJson(property) ? property : {}
    return {
      in: place,
      name,
      schema,
      ...(place === "path" && { required: true, example: ids[name] }),
      ...(description !== undefined && { description }),
    }
  })
}

const sessionInPath = parametersIn("path", z.object({ sessionId: sessionIdSchema }))

const fileAddressSchema = z.object({
  botId: botIdSchema,
  folder: z.string().max(255).describe("Folder of the file, named when it was uploaded"),
  fileName: z.string().max(255).describe("Name under which the file is stored"),
})

const heardWords =
  "Server-sent events of the types of `ChatNews`, whose other members are the data: after `listening`, a `message` for " +
  "every line that `listConversationMessages` returns after `after`, each once and in order, also while the bot " +
  "answers; `typing` while the person types; `ended` or `expired`, with which the stream ends. Each id is a position: " +
  "sent back as `Last-Event-ID` or as `after`, it leaves no gap. The stream ends when the caller may not read the " +
  "chat any more, and its position after the end is refused with 404 and the reason `CHAT_ENDED`."

/** The first events of a chat. */
function heard(line: Json): Json {
  const events = [
    ["listening", "AAEP8sQ7nXw0b5m2HkTj9RcLzV3yUa1eGd6oWq4iNfB", {}],
    ["message", "AAGt5Kz2rYh8c1v6QwXe3JmPbN7uSi4aLo0gDf9ZkTE", { message: line }],
  ].map(([type, id, data]) => `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
  return streamed("The events", { "text/event-stream": `retry: 2000\n\n${events.join("")}` })
}

/** By path, as in the document. */
export const endpointPaths: Record<string, Json> = {
  "/api/v1/sessions/{sessionId}/streamMessage": {
    post: {
      operationId: "streamMessage",
      "x-admits": ["anybody"],
      summary: "Stream a model's answer",
      description:
        "Call it after a step with the action `stream`. The model's answer arrives as it is written, one " +
        "part per line: `0:` precedes a piece of the text as a JSON string, `3:` an error; `e:` and " +
        "`d:` end the stream. Then continue the chat with the whole text as its message. 400 when the " +
        "chat is not waiting for a stream, 409 while it is paused. The request body is ignored.",
      tags: ["Chat"],
      security: [],
      parameters: sessionInPath,
      responses: {
        "200": streamed("The answer, line by line", {
          "text/plain": [
            'f:{"messageId":"msg-yJtd1PgocJcU"}',
            '0:"Hi "',
            '0:"Ann"',
            'e:{"finishReason":"stop","isContinued":false}',
            'd:{"finishReason":"stop"}',
            "",
          ].join("\n"),
        }),
        "404": {},
        "409": {},
        "422": {},
      },
    },
  },
  "/api/v1/sessions/{sessionId}/events": {
    get: {
      operationId: "listenForEvents",
      "x-admits": ["anybody"],
      summary: "Listen to a chat",
      description:
        "Server-sent events. Named events report what happens outside of the client's own turns: " +
        "`conversation.idle` (with what the flow says to silence), `.continued` (with its " +
        "step), `.reply` (with what a person of the team says), `.typing` (they type), `.paused`, `.resumed`, `.ended` and " +
        "`.expired`. After a step with the action " +
        "`listenForWebhook`, an unnamed event holds the text to continue the chat with, and the " +
        "stream ends.",
      tags: ["Chat"],
      security: [],
      parameters: sessionInPath,
      responses: {
        "200": streamed("The events", {
          "text/event-stream": [
            "retry: 2000\n\n",
            "id: /019e4ec0-f94b-7000-8000-000000000000\n\n",
            "event: conversation.paused\nid: /019e4ec0-f94b-7c06-8b22-3c33d44e55f6\ndata: {}\n\n",
          ].join(""),
        }),
        "404": {},
      },
    },
  },
  "/api/v1/bots/{botId}/changes": {
    get: {
      operationId: "listenForChanges",
      "x-admits": ["botReaders"],
      "x-scope": "bots:read",
      summary: "Listen to the changes of a bot",
      description:
        "Server-sent events of the types of `BotChange`, whose other members are the data. `listening` comes " +
        "first, the last publication and who is there come next. Each id is the revision up to which " +
        "everything was sent: sent back as `Last-Event-ID`, it leaves no gap. After `replaced`, read the " +
        "draft again, and pass over edits that it has. The stream ends when the caller may not listen any more.",
      tags: ["Bots"],
      parameters: [
        ...parametersIn("path", hearingSchema.pick({ botId: true })),
        ...parametersIn("query", hearingSchema.omit({ botId: true })),
      ],
      responses: {
        "200": streamed("The events", {
          "text/event-stream": 'retry: 2000\n\nevent: listening\nid: 1\ndata: {"revision":1}\n\n',
        }),
        "404": {},
      },
    },
  },
  "/api/v1/bots/{botId}/conversations/{key}/messages/events": {
    get: {
      operationId: "listenForMessages",
      "x-admits": ["botReaders"],
      "x-scope": "results:read",
      summary: "Listen to the chat of a key",
      description: `The current chat of the key, or its last one. ${heardWords}`,
      tags: ["Conversations"],
      parameters: [
        ...parametersIn("path", keyedHearingSchema.omit({ after: true })),
        ...parametersIn("query", keyedHearingSchema.pick({ after: true })),
      ],
      responses: { "200": heard(exampleQuestion), "404": {}, "422": {} },
    },
  },
  "/api/v1/sessions/{sessionId}/messages/events": {
    get: {
      operationId: "listenForSessionMessages",
      "x-admits": ["botReaders"],
      "x-scope": "results:read",
      summary: "Listen to a chat by its session",
      description: `Also works for chats without a key. ${heardWords}`,
      tags: ["Conversations"],
      parameters: [
        ...sessionInPath,
        ...parametersIn("query", sessionHearingSchema.pick({ after: true })),
      ],
      responses: { "200": heard(exampleLine(exampleReplyIds[1])), "404": {}, "422": {} },
    },
  },
  "/api/v1/bots/{botId}/results/export": {
    get: {
      operationId: "exportResults",
      "x-admits": ["botReaders"],
      "x-scope": "results:read",
      summary: "Export results",
      description:
        "Streams all results that the list would show, newest first, as a file. CSV has a column for the " +
        "id, the times, each input in the order of the flow and each variable, across all versions in " +
        "the period; the bot's `resultsTablePreferences` order and hide columns by their ids (`id`, " +
        "`createdAt`, `isCompleted`, `versionNumber`, `endedAt`, `durationSeconds`, ids of blocks and " +
        "variables). Cells that a " +
        "spreadsheet would execute are prefixed with an apostrophe. NDJSON has one `Result` per line. " +
        "If the connection closes without the final chunk, the file is incomplete.",
      tags: ["Results"],
      parameters: [
        ...parametersIn("path", exportInputSchema.pick({ botId: true })),
        ...parametersIn("query", exportInputSchema.omit({ botId: true })),
      ],
      responses: {
        "200": streamed("The file", {
          "text/csv":
            "id,created,completed,version,Sign up: Name,Name,ended,seconds\r\n" +
            `${exampleIds.resultId},${exampleTime},yes,1,Ann,Ann,${exampleTime},12\r\n`,
          "application/x-ndjson": `${JSON.stringify(exampleResult)}\n`,
        }),
      },
    },
  },
  "/api/v1/bots/{botId}/files/{folder}/{fileName}": {
    get: {
      operationId: "getPrivateFile",
      "x-admits": ["botReaders"],
      "x-scope": "results:read",
      summary: "Read a private file",
      description:
        "Redirects to a file that an end user uploaded and only members may read. Results contain this " +
        "address; the one it redirects to needs no token and works for a short time.",
      tags: ["Results"],
      parameters: parametersIn("path", fileAddressSchema),
      responses: {
        "200": {
          description: "The file, once redirects are followed",
          content: {
            "application/octet-stream": {
              schema: { type: "string", format: "binary" },
              example: "Hello",
            },
          },
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
