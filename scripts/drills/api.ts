/** What scripts need of the REST API to prepare bots. */

/** An answer, as far as scripts look into it. */
type Answer = {
  bot: { id: string }
  workspaces: { id: string }[]
  credentialsId: string
}

/** A bot that can be talked to. */
export type PublishedBot = { id: string; publicId: string }

/** Calls the API with a token; refusals are thrown. */
export function openApi(address: string, token: string) {
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text.slice(0, 4_000)}`)
    return JSON.parse(text)
  }
  const workspaceId = async () => {
    const { workspaces } = await call("GET", "/workspaces")
    return workspaces[0]?.id
  }
  return {
    call,
    workspaceId,
    /** Imports a flow into the first workspace and publishes it, under that public id if one is given. */
    publish: async (flow: object, given?: string): Promise<PublishedBot> => {
      const imported = { workspaceId: await workspaceId(), bot: flow }
      const { bot } = await call("POST", "/bots/import", imported)
      const publicId = given ?? `bot-${bot.id}`
      await call("PATCH", `/bots/${bot.id}`, { bot: { publicId } })
      await call("POST", `/bots/${bot.id}/publish`)
      return { id: bot.id, publicId }
    },
  }
}
