/** Calls the REST API with a token, as authors do. */

type WithId = { id: string }

/** An answer, as far as scripts look into it. */
export type ApiAnswer = {
  bot: WithId
  workspace: WithId
  workspaces: WithId[]
  sessionId: string
  resultId: string
  bots: { results: number }[]
  nextCursor?: string
}

/** A bot that can be talked to. */
export type PublishedBot = { id: string; publicId: string }

export type Api = {
  /** Rejects when it is refused. */
  call(method: string, path: string, body?: object, signal?: AbortSignal): Promise<ApiAnswer>
  /** The first workspace. */
  workspaceId(): Promise<string>
  /** Imports a flow into the first workspace and publishes it, under that public id if one is given. */
  publish(flow: object, given?: string): Promise<PublishedBot>
  /** Starts a chat. */
  start(publicId: string): Promise<ApiAnswer>
}

/** Opens the API of the service at an address. */
export function openApi(address: string, token: string): Api {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const call: Api["call"] = async (method, path, body, signal) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text.slice(0, 4_000)}`)
    return JSON.parse(text)
  }
  const workspaceId = async () => (await call("GET", "/workspaces")).workspaces[0]?.id ?? ""
  return {
    call,
    workspaceId,
    start: (publicId) => call("POST", `/bots/${publicId}/startChat`, {}),
    async publish(flow, given) {
      const imported = { workspaceId: await workspaceId(), bot: flow }
      const { bot } = await call("POST", "/bots/import", imported)
      const publicId = given ?? `bot-${bot.id}`
      await call("PATCH", `/bots/${bot.id}`, { bot: { publicId } })
      await call("POST", `/bots/${bot.id}/publish`)
      return { id: bot.id, publicId }
    },
  }
}
