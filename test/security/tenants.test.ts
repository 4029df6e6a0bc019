/** Ids of another workspace under paths and in bodies of one's own. */
import { expect, test, vi } from "vitest"
import { ask, bot, group, link } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import type { Sent, TestServer } from "../support/server.ts"
import {
  flow,
  foreignWorkspaceId,
  holdings,
  marker,
  newTarget,
  server,
  tokens,
  workspaceId,
} from "./twoTenants.ts"

vi.setConfig({ testTimeout: 60_000 })

const hook = { url: "http://mine.example/hook", types: ["conversation.paused"] }

/** The service as the stranger sees it. */
const stranger: TestServer = {
  ...server,
  send: (method, path, sent) => server.send(method, path, { token: tokens.stranger, ...sent }),
}

test("ids of another workspace open nothing under paths and in bodies of one's own", async () => {
  const of = await newTarget()
  const mine = await publishBot(stranger, bot(group("A", ask.text({ id: "hook", saves: "Said" }))))
  const before = await holdings()
  const v1 = "/api/v1"
  const own = `${v1}/bots/${mine.botId}`
  const ownWorkspace = `${v1}/workspaces/${foreignWorkspaceId}`
  const inOwn = (bot: object) => ({ body: { workspaceId: foreignWorkspaceId, bot } })
  const proxied = {
    type: "Webhook",
    options: { webhook: { url: "https://example.com" }, proxyCredentialsId: of.credentialsId },
  }
  const tries: [string, string, Sent?][] = [
    ["PATCH", `${ownWorkspace}/invitations/${of.invitationId}`, { body: { type: "ADMIN" } }],
    ["DELETE", `${ownWorkspace}/invitations/${of.invitationId}`],
    ["PATCH", `${ownWorkspace}/members/${of.userId}`, { body: { role: "ADMIN" } }],
    ["DELETE", `${ownWorkspace}/members/${of.userId}`],
    ["GET", `${ownWorkspace}/webhookEndpoints/${of.endpointId}`],
    ["PATCH", `${ownWorkspace}/webhookEndpoints/${of.endpointId}`, { body: { isEnabled: false } }],
    ["DELETE", `${ownWorkspace}/webhookEndpoints/${of.endpointId}`],
    ["POST", `${ownWorkspace}/webhookEndpoints/${of.endpointId}/rotateSecret`],
    ["GET", `${ownWorkspace}/webhookEndpoints/${of.endpointId}/deliveries`],
    [
      "POST",
      `${ownWorkspace}/webhookEndpoints/${of.endpointId}/deliveries/${of.deliveryId}/redeliver`,
    ],
    ["POST", `${ownWorkspace}/webhookEndpoints`, { body: { ...hook, botIds: [of.botId] } }],
    ["POST", `${ownWorkspace}/webhookEvents`, { body: { listenerId: of.endpointId } }],
    ["GET", `${own}/results/${of.resultId}`],
    ["GET", `${own}/results/${of.resultId}/logs`],
    ["GET", `${own}/results/${of.resultId}/transcript`],
    ["GET", `${own}/results/${of.resultId}/trace`],
    ["DELETE", `${own}/results?resultIds=${of.resultId}`],
    ["POST", `${own}/blocks/hook/results/${of.resultId}/executeWebhook`, { body: {} }],
    ["GET", `${own}/results?cursor=${of.resultId}`],
    ["GET", `${v1}/bots?workspaceId=${foreignWorkspaceId}&cursor=${of.botId}`],
    ["PATCH", own, { body: { bot: { publicId: of.publicId } } }],
    ["PATCH", own, { body: { bot: { workspaceId, id: of.botId } } }],
    ["PATCH", own, { body: { bot: { whatsAppCredentialsId: of.credentialsId } } }],
    ["POST", `${v1}/bots/import`, inOwn({ ...flow, id: of.botId, workspaceId, name: "Mine" })],
    ["POST", `${v1}/bots`, inOwn({ name: "Mine", id: of.botId, workspaceId })],
    ["POST", `${v1}/bots/import`, inOwn(bot(group("A", link(of.botId))))],
    ["POST", `${v1}/bots/import`, inOwn(bot(group("A", proxied)))],
    ["POST", `${v1}/bots/lint`, { body: { bot: flow, workspaceId } }],
    ["POST", `${v1}/bots/${mine.publicId}/startChat`, { body: { resultId: of.resultId } }],
    ["POST", `${v1}/bots/${of.botId}/preview/startChat`, { body: {} }],
    [
      "POST",
      `${v1}/bots/${mine.botId}/preview/startChat`,
      { body: { bot: bot(group("A", link(of.botId))), sessionId: of.sessionId } },
    ],
    [
      "POST",
      `${v1}/generate-upload-url`,
      { body: { sessionId: of.sessionId, blockId: "file", fileName: "a.txt" } },
    ],
  ]
  for (const [method, path, sent] of tries) {
    const reply = await stranger.send(method, path, sent)
    const told = `${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`
    expect(reply.status, told).toBeLessThan(500)
    // What was sent may come back; what lies in the other workspace may not.
    if (!JSON.stringify(sent ?? {}).includes(marker)) expect(told).not.toContain(marker)
    expect(await holdings(), told).toEqual(before)
  }
})
