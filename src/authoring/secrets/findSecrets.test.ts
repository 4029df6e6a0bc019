/** Which texts hold secrets, and what stays of them when these are masked. */
import { describe, expect, test } from "vitest"
import { findSecrets, maskText } from "./findSecrets.ts"

const masked = (text: string, name?: string) => maskText(text, findSecrets(text, name))

describe("a value named like a secret", () => {
  test.each([
    "Authorization",
    "Proxy-Authorization",
    " x-api-key ",
    "apikey",
    "X-Access-Token",
    "X-Shop-Key",
    "Cookie",
    "Set-Cookie",
    "token",
    "clientSecret",
    "Ocp-Apim-Subscription-Key",
    "PRIVATE-TOKEN",
    "db_password",
  ])("is masked whole: %s", (name) => {
    expect(masked("hunter2 and more", name)).toBe("•••")
  })

  test.each([
    ["Accept", "application/json"],
    ["max_tokens", "4096000"],
    ["Idempotency-Key", "order-12345678"],
    ["key", "name-of-a-field"],
    ["Authorization", "Bearer"],
    ["Authorization", "Bearer {{Token}}"],
    ["Authorization", "Token token={{My token}}"],
    ["Cookie", "session={{Session}}; lang={{Language}}"],
    ["Authorization", "•••"],
  ])("is none: %s: %s", (name, value) => expect(masked(value, name)).toBe(value))

  test("is a secret beside a variable, if it looks random", () => {
    expect(masked("Bearer abc123def456{{Nothing}}", "Authorization")).toBe("•••")
    expect(masked("{{='abc123def456'=}}", "Authorization")).toBe("•••")
    expect(masked("company-prefix-{{Token}}", "Authorization")).toBe("company-prefix-{{Token}}")
  })

  test("is a secret as `key` when it is long", () => {
    expect(masked("a1b2c3d4e5f6g7h8", "key")).toBe("•••")
  })
})

test.each([
  ['{"apiKey":"abc123","page":"{{Page}}"}', '{"apiKey":"•••","page":"{{Page}}"}'],
  ['{"a":{"db_password" : "hunter2"}}', '{"a":{"db_password" : "•••"}}'],
  ["const token = 'abc123def'; run(token)", "const token = '•••'; run(token)"],
  ["headers: { Cookie: `id=abc123def` }", "headers: { Cookie: `•••` }"],
  [String.raw`"{\"client_secret\":\"abc123\"}"`, String.raw`"{\"client_secret\":\"•••\"}"`],
  ['{"token":"unfinished', '{"token":"•••'],
  ["https://a.example/?page=1&api_key=abc123#x", "https://a.example/?page=1&api_key=•••#x"],
  ['<a href="/?a=1&amp;token=abc123">', '<a href="/?a=1&amp;token=•••">'],
  ["client_secret=abc123&scope=a", "client_secret=•••&scope=a"],
  ["https://ann:passw0rd@a.example/path", "https://•••@a.example/path"],
  ["Bearer 0123456789abcdef0123456789 and", "••• and"],
  [`x sk-${"a1".repeat(30)}, sk-${"b2".repeat(30)}.`, "x •••, •••"],
  ["a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- b", "a ••• b"],
  ["a -----BEGIN PRIVATE KEY-----\nMII and nothing else", "a •••"],
])("only the secrets in a text are masked: %s", (text, expected) => {
  expect(masked(text)).toBe(expected)
})

test.each([
  '{"apiKey":"{{Key}}"}',
  "https://a.example/?token={{Token}}&page=2",
  "const token = readToken(request)",
  "if (a&&token=='x') return token",
  "document.cookie = 'visited=yes; path=/'",
  "fetch(url, { credentials: 'same-origin' })",
  "Your password: we never ask for it, nor for a token = a code",
])("a text has no secret: %s", (text) => expect(masked(text)).toBe(text))

test("a search takes time linear in hostile texts", () => {
  const parts = [":'", "token:'", "&token=", "a", "=", ".eyJ", "-----BEGIN PRIVATE KEY-----", "{{"]
  for (const part of parts) findSecrets(part.repeat(4_000_000 / part.length), "Authorization")
  for (const part of parts) findSecrets(part.repeat(4_000_000 / part.length))
})
