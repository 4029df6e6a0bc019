/** Examples for the rules about variables of the workspace. */
import { ask, type BotParts, block, bot, type Draft, group, say } from "../bots.ts"
import type { Example, Examples } from "./examples.ts"

const variables = new Map([
  ["shop", false],
  ["key", true],
])
const among = (...blocks: Draft[]): Example => withParts({}, ...blocks)
const withParts = (parts: BotParts, ...blocks: Draft[]): Example => ({
  flow: bot(parts, group("A", ...blocks)),
  surroundings: { variables },
})

const request = (members: object, more: object = {}) =>
  block("Webhook", { webhook: { url: "https://a.example", ...members }, ...more })
const auth = { headers: [{ key: "Authorization", value: "Bearer {{$key}}" }] }
const code = 'await fetch("https://a.example", { headers: { "X-Key": {{$key}} } })'
const first = "/groups/0/blocks/0"

/** By rule. */
export const workspaceVariables: Record<string, Examples> = {
  "unknown-workspace-variable": {
    fails: [
      [among(say("See {{$shopp}}")), `${first}/content/richText/0/children/0/text`],
      [among(request({ body: "{{= {{$Shop}} =}}" })), `${first}/options/webhook/body`],
    ],
    passes: [
      among(say("See {{$shop}}")),
      bot(group("A", say("See {{$shopp}}"))),
      withParts({ variables: { $own: "x" } }, say("{{$own}}")),
    ],
  },
  "exposed-secret": {
    fails: [
      [among(say("It is {{$key}}")), `${first}/content/richText/0/children/0/text`],
      [
        among(ask.text({ labels: { placeholder: "{{$key}}" } })),
        `${first}/options/labels/placeholder`,
      ],
      [among(request({ body: "{{={{$key}}=}}" })), `${first}/options/webhook/body`],
      [
        among(request(auth, { isExecutedOnClient: true })),
        `${first}/options/webhook/headers/0/value`,
      ],
      [among(request({ ...auth, url: "{{Base}}/x" })), `${first}/options/webhook/headers/0/value`],
      [among(block("Email", { recipients: ["{{$key}}"] })), `${first}/options/recipients/0`],
      [among(block("Code", { content: code })), `${first}/options/content`],
      [
        among(block("Code", { content: "return {{$key}}", isExecutedOnClient: false })),
        `${first}/options/content`,
      ],
    ],
    passes: [
      among(request({ ...auth, url: "{{$shop}}/{{Path}}" })),
      among(request({ ...auth, body: '{"key":"{{$key}}"}' })),
      among(block("Email", { recipients: ["a@b.example"], subject: "{{$key}}", body: "{{$key}}" })),
      among(block("Code", { content: code, isExecutedOnClient: false })),
      among(
        block("openai", {
          action: "Create chat completion",
          credentialsId: "c",
          tools: [{ type: "function", name: "f", code }],
        }),
      ),
      among(say("{{$shop}}")),
      bot(group("A", say("{{$key}}"))),
      withParts({ variables: { $key: "x" } }, say("{{$key}}")),
    ],
  },
}
