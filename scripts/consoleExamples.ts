/** Fills a service with what pictures of the console show: bots of all starters, and conversations with one. */
import type { Examples } from "./consolePictures.ts"
import type { Api } from "./drills/api.ts"

type Answer = Record<string, never>

export async function makeExamples(api: Api): Promise<Examples> {
  const call = api.call as unknown as (...words: Parameters<Api["call"]>) => Promise<Answer>
  const workspaceId = await api.workspaceId()
  const { templates } = (await call("GET", "/templates")) as unknown as {
    templates: { id: string }[]
  }
  let botId = ""
  for (const { id } of templates) {
    const made = await api.call("POST", "/bots/import", { workspaceId, fromTemplate: id })
    if (id === "leadForm" || botId === "") botId = made.bot.id
  }
  const publicId = "lead-form"
  await call("PATCH", `/bots/${botId}`, { bot: { publicId } })
  await call("POST", `/bots/${botId}/publish`)
  const people = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"]
  for (const person of people) {
    const { sessionId } = await api.start(publicId)
    for (const text of [person, `${person.toLowerCase()}@example.com`]) {
      const message = { type: "text", text }
      await call("POST", `/sessions/${sessionId}/continueChat`, { message }).catch(() => undefined)
    }
  }
  return { workspaceId, botId }
}
