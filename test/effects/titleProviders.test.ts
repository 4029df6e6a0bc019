/** Every provider of models chooses titles of groups, in its own protocol. */
import { describe, expect, test } from "vitest"
import { generateGroupTitle } from "../../src/bots/generateGroupTitle.ts"
import { createModels } from "../../src/effects/models/models.ts"
import { modelProviders } from "../../src/engine/blocks/registry.ts"
import { bot, group, groupIdOf, say } from "../support/bots.ts"
import { json, plainFetch, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const peer = await startPeer()
const flow = bot(group("Group #1", say("Your e-mail?")))

/** What a provider answers, by protocol. */
const answers = {
  chatCompletions: (text: string) => ({ choices: [{ message: { content: text } }] }),
  anthropicMessages: (text: string) => ({
    ...{ type: "message", role: "assistant", content: [{ type: "text", text }] },
    usage: { input_tokens: 2, output_tokens: 3 },
  }),
}

test("there are providers", () => expect(modelProviders.size).toBeGreaterThan(5))

describe.each([...modelProviders])("%s", (type, { baseUrl, protocol, takesSchema }) => {
  const answer = answers[protocol as keyof typeof answers]
  const asked: string[] = []
  const models = createModels({
    credentials: wallet({ c: { type, data: { apiKey: "sk-0123456789" } } }),
    readFile: async () => ({ failed: true, description: "No file" }),
    fetch: (url, init) => {
      asked.push(url)
      return plainFetch(url.replace(new URL(baseUrl).origin, peer.url), init)
    },
    script: async () => ({ results: [] }),
    mcp: { open: async () => ({ failed: true, description: "No server" }) },
  })
  const choose = () =>
    generateGroupTitle({
      ...{ flow, groupId: groupIdOf("Group #1"), overwrites: false, userId: "u" },
      bot: { id: "b", workspaceId: "ws1" },
      settings: { isEnabled: true, provider: type, credentialsId: "c", model: "m-1" },
      askModel: models.performer,
    })

  test("is asked at its own address, for a form that it takes, and within bounds", async () => {
    peer.answers(
      json(answer(takesSchema ? '{"title":"Ask for the e-mail"}' : "Ask for the e-mail")),
    )
    expect(await choose()).toEqual({ title: "Ask for the e-mail" })
    expect(asked).toEqual([expect.stringMatching(`^${baseUrl}`)])
    const [request] = peer.received
    expect(request?.text).toContain("Your e-mail?")
    expect(request?.text).toMatch(/"max\w*_tokens":2000/)
    expect(
      /"response_format"|"output_format"|"tool_choice"|"output_config"/.test(request?.text ?? ""),
    ).toBe(takesSchema === true)
  })

  test("that refuses is reported", async () => {
    peer.answers(json({ error: { message: "No such model" } }, 404))
    expect(await choose()).toMatchObject({ failed: true, status: 404 })
  })
})
