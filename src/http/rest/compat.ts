/** Serves Typebot's clients unchanged: the same operations, under its paths and with its names. */
import type { Members } from "../bodies/body.ts"
import type { Route, Translation } from "./routes.ts"

type Names = Readonly<Record<string, string>>

const sentNames: Names = { typebot: "bot" }
const answeredNames: Names = { bot: "typebot", bots: "typebots", publishedBot: "publishedTypebot" }
const recordNames: Names = { botId: "typebotId", publishedBotId: "publishedTypebotId" }

const translation: Translation = {
  input: (sent) => rename(sent, sentNames),
  sentAt: (path, sent) => {
    const [name, ...rest] = path
    return name === "bot" && !("bot" in sent) ? ["typebot", ...rest] : path
  },
  answer: (data) => {
    const answer = isRecord(data) ? rename(data, answeredNames) : {}
    // Only records refer to bots by these names; deeper levels are flows and texts of authors.
    return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, inside(value)]))
  },
}

/** Returns the routes under Typebot's paths, for each of ours that has another path there. */
export function compatRoutes(routes: readonly Route[]): Route[] {
  const renamed = routes
    .filter(({ path }) => /^\/api\/v1\/bots\b/.test(path))
    .map((route) => ({ ...route, path: typebotPath(route.path), translation }))
  return [...renamed, ...sendMessageRoutes(routes)]
}

const typebotPath = (path: string) =>
  path.replace("/bots", "/typebots").replace("/publishedBot", "/publishedTypebot")

/**
 * One path starts and continues chats, as older gateways expect: it starts them with `startParams`, and
 * continues them with `sessionId`.
 */
function sendMessageRoutes(routes: readonly Route[]): Route[] {
  const start = routes.find(({ procedure }) => procedure === "chat.start")
  const next = routes.find(({ procedure }) => procedure === "chat.continue")
  if (!start || !next) return []
  const route: Route = {
    ...next,
    path: "/api/v1/sendMessage",
    parameters: [],
    placeOf: () => "body",
    translation: { input: startedBy, sentAt: sentToStart, answer: translation.answer },
    call: (asked) => (isStart(asked.readInput()) ? start.call(asked) : next.call(asked)),
  }
  return [route, { ...route, path: "/api/v2/sendMessage" }]
}

/** Lifts the members of `startParams`; other requests stay as they are. */
function startedBy({ startParams, ...sent }: Members): Members {
  if (!isRecord(startParams)) return sent
  return { ...sent, ...startParams, publicId: startParams.publicId ?? startParams.typebot }
}

const sentToStart: Translation["sentAt"] = (path, { startParams }) => {
  const [name = "", ...rest] = path
  if (!isRecord(startParams)) return path
  if (name in startParams) return ["startParams", name, ...rest]
  if (name !== "publicId") return path
  return ["startParams", "typebot" in startParams ? "typebot" : name, ...rest]
}

const isStart = (input: unknown) => isRecord(input) && "publicId" in input

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside)
  return isRecord(value) ? rename(value, recordNames) : value
}

/** Renames members, unless the new name is taken. */
function rename(members: Members, names: Names): Members {
  const renamed = Object.entries(members).map(([name, value]) => {
    const other = names[name]
    return [other === undefined || other in members ? name : other, value]
  })
  return Object.fromEntries(renamed)
}

function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
