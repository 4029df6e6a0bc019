/** Tests where the secrets of each type of credential may be sent. */
import { expect, test } from "vitest"
import { isAllowedPlace } from "./credentialHosts.ts"
import { credentialTypes } from "./credentialTypes.ts"

/** For each type an address of its provider; none if the data decides every address. */
const providers: Record<string, string | undefined> = {
  smtp: undefined,
  "google sheets": "https://sheets.googleapis.com/v4",
  stripe: "https://api.stripe.com/v1",
  http: undefined,
  "http proxy": undefined,
  whatsApp: undefined,
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  mistral: "https://api.mistral.ai/v1",
  groq: "https://api.groq.com/openai/v1",
  deepseek: "https://api.deepseek.com/v1",
  "open-router": "https://openrouter.ai/api/v1",
  "together-ai": "https://api.together.xyz/v1",
  perplexity: "https://api.perplexity.ai",
  "dify-ai": "https://api.dify.ai/v1",
  "chat-node": "https://api.public.chatnode.ai/v1",
  elevenlabs: "https://api.elevenlabs.io/v1",
  nocodb: "https://app.nocodb.com/api",
  segment: "https://api.segment.io/v1",
  posthog: "https://us.i.posthog.com/i/v0/e/",
  zendesk: undefined,
  mcp: undefined,
  gmail: "https://gmail.googleapis.com/gmail/v1",
  blink: "https://api.joinblink.com/v2",
}

test("every type is in the table", () => {
  expect(Object.keys(providers).toSorted()).toEqual(credentialTypes.toSorted())
})

test.each(Object.entries(providers))("22.3 %s goes to its provider alone", (type, provider) => {
  const allows = (address: string) => isAllowedPlace({ type, data: {}, allowedHosts: [] }, address)
  const others = Object.values(providers).filter((each) => each && each !== provider)
  for (const other of [...others, "https://evil.example/v1"]) {
    expect(allows(String(other)), other).toBe(false)
  }
  if (provider === undefined) return
  expect(allows(provider)).toBe(true)
  const { host } = new URL(provider)
  expect(allows(`http://${host}/`), "unencrypted").toBe(false)
  expect(allows(`https://${host}:8443/`), "at another port").toBe(false)
  expect(allows(`https://${host}.evil.example/`)).toBe(false)
  expect(allows(`https://${host}@evil.example/`)).toBe(false)
  expect(allows(`https://sub.${host}/`)).toBe(false)
  expect(allows(`https://evil.example/?${provider}`)).toBe(false)
})

test.each([
  ["openai", "baseUrl"],
  ["groq", "baseUrl"],
  ["deepseek", "baseUrl"],
  ["perplexity", "baseUrl"],
  ["nocodb", "baseUrl"],
  ["dify-ai", "apiEndpoint"],
  ["posthog", "host"],
  ["http proxy", "url"],
  ["mcp", "url"],
])("the address in the data of %s stands for its provider, port and scheme included", (type, member) => {
  const data = { [member]: "https://own.example:8443/some/path" }
  const allows = (address: string) => isAllowedPlace({ type, data, allowedHosts: [] }, address)
  expect(allows("https://own.example:8443/v1")).toBe(true)
  expect(allows("http://own.example:8443/v1")).toBe(false)
  expect(allows("https://own.example/v1")).toBe(false)
  expect(allows(providers[type] ?? "https://evil.example")).toBe(false)
})

test("a host that the owner allows is meant with its one port, or with the usual ones", () => {
  const allowedHosts = ["a.example", "b.example:8443", "[2001:db8::1]"]
  const allows = (address: string) =>
    isAllowedPlace({ type: "anthropic", data: {}, allowedHosts }, address)
  const allowed = [
    "https://a.example/v1",
    "http://a.example/",
    "https://A.Example./",
    "https://b.example:8443/",
    "http://b.example:8443/",
    "https://[2001:db8::1]/",
    "https://api.anthropic.com/v1",
  ]
  const kept = [
    "https://a.example:8443/",
    "http://a.example:443/",
    "https://b.example/",
    "https://sub.a.example/",
    "https://a.example.evil.example/",
    "ftp://a.example/",
    "a.example",
    "",
  ]
  expect(allowed.filter((address) => !allows(address))).toEqual([])
  expect(kept.filter((address) => allows(address))).toEqual([])
})
