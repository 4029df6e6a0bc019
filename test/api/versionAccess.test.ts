/** What people see of versions with whom only the bot is shared. */
import { describe, expect, test } from "vitest"
import { collaborate, join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { saying } from "../support/saying.ts"
import { newVersionedBot } from "../support/versionedBot.ts"

const db = await testDatabase()
const bot = await newVersionedBot(db)
const { botId, call, workspaceId } = bot
await bot.publish("Secret plans")
await bot.write("second")

const share = (isEnabled: boolean) =>
  call.bot.update({ botId, bot: { settings: { publicShare: { isEnabled } } } })

test("collaborators see who did it, but no mail address except their own", async () => {
  const user = await newUser(db)
  await join(db, user, workspaceId, "GUEST")
  await collaborate(db, user, botId, "WRITE")
  await user.call.version.rollback({ botId, version: 1 })
  const { publications } = await user.call.version.listPublications({ botId, limit: 1 })
  expect(publications).toMatchObject([{ author: { id: user.id, email: user.email } }])
  const { versions } = await user.call.version.list({ botId })
  const [first] = versions.filter(({ number }) => number === 1)
  expect(first?.author).toEqual({ id: bot.user.id, name: null })
})

describe("a user with whom only the bot is shared", () => {
  test("compares what is live with the draft, and sees no history", async () => {
    await share(true)
    const stranger = await newUser(db)
    const { version } = stranger.call
    await version.diff({ botId })
    const missing = { code: "NOT_FOUND", message: "Version 1 not found" }
    expect(await refusalOf(version.diff({ botId, from: "1" }))).toEqual(missing)
    await share(false)
    expect((await refusalOf(version.diff({ botId }))).code).toBe("NOT_FOUND")
  })

  test("sees no credentials in the comparison", async () => {
    const { credentialsId } = await call.credentials.create({
      workspaceId,
      credentials: { type: "http proxy", name: "P", data: { url: "http://proxy.example" } },
    } as never)
    const web = {
      id: "web",
      type: "Webhook",
      options: { webhook: { url: "https://example.com" }, proxyCredentialsId: credentialsId },
    }
    const { groups } = saying("with a key")
    const blocks = [...(groups[0]?.blocks ?? []), web]
    await call.bot.update({ botId, bot: { groups: [{ ...groups[0], blocks }] as never } })
    await share(true)
    const stranger = await newUser(db)
    const request = { botId, from: "live", to: "draft" }
    const [seen, own] = [
      JSON.stringify(await stranger.call.version.diff(request)),
      JSON.stringify(await call.version.diff(request)),
    ]
    expect(own).toContain(credentialsId)
    expect(seen).toContain("https://example.com")
    expect(seen).not.toContain(credentialsId)
  })
})
