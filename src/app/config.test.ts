/** Holds the configuration to its defaults and to its complaints. */
import { resolve } from "node:path"
import { expect, test } from "vitest"
import { readConfig, riskySettings, unknownVariables } from "./config.ts"

const secret = "s".repeat(32)

function complaint(variables: Record<string, string>): string {
  try {
    readConfig(variables)
  } catch (error) {
    return error instanceof Error ? error.message : "something else"
  }
  return "none"
}

test("a variable that is no setting is named with the nearest one", () => {
  const given = { PARLEY_SERCET: "x", parley_role: "x", PARLEY_COLOUR: "x", PORT: "1", HOME: "/" }
  expect(unknownVariables(given)).toEqual([
    "There is no setting PARLEY_SERCET: did you mean PARLEY_SECRET?",
    "There is no setting parley_role: did you mean PARLEY_ROLE?",
    "There is no setting PARLEY_COLOUR: it is ignored.",
  ])
})

test("a secret that is missing or short comes with the way to make one", () => {
  const way =
    "make one with `node -p \"crypto.randomBytes(48).toString('base64url')\"` and keep it."
  expect(complaint({ DATABASE_URL: "postgres://db/parley" })).toContain(way)
  expect(complaint({ PARLEY_SECRET: "short" })).toContain(way)
})

test("nothing needs to be configured", () => {
  expect(readConfig({ PORT: "", PARLEY_SECRET: "" })).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    databaseUrl: undefined,
    dataFolder: resolve(".parley"),
    publicUrl: "http://localhost:3000",
    allowedOrigins: [],
    role: "all",
    workers: 1,
    turnTimeoutMs: 150_000,
    resultRetentionDays: undefined,
    rateLimits: { mode: "default", store: "memory", rates: {} },
    allowsPreviewHttp: false,
    allowsAnonymousPreview: true,
    bodyBudgetBytes: 52 * 1024 * 1024,
    logLevel: "info",
  })
})

test("words, numbers and lists are read", () => {
  expect(
    readConfig({
      PORT: "0",
      DATABASE_URL: "postgres://db/parley",
      PARLEY_SECRET: secret,
      PARLEY_PUBLIC_URL: "https://chat.example.com/",
      PARLEY_ALLOWED_ORIGINS: "https://a.example.com, https://b.example.com/",
      PARLEY_ADMIN_EMAILS: "ann@example.com,bob@example.com",
      PARLEY_PG_PREPARE: "off",
      PARLEY_PREVIEW_HTTP: "allow",
      PARLEY_ANONYMOUS_PREVIEW: "deny",
      PARLEY_BODY_BUDGET_MB: "100",
      PARLEY_TRUSTED_PROXIES: "2",
    }),
  ).toMatchObject({
    port: 0,
    controlDatabaseUrl: "postgres://db/parley",
    publicUrl: "https://chat.example.com",
    allowedOrigins: ["https://a.example.com", "https://b.example.com"],
    adminEmails: ["ann@example.com", "bob@example.com"],
    preparesStatements: false,
    allowsPreviewHttp: true,
    allowsAnonymousPreview: false,
    bodyBudgetBytes: 100 * 1024 * 1024,
    trustedProxies: 2,
  })
})

test("rates and limits of plans are read, those left out stay as they are", () => {
  const read = readConfig({
    PARLEY_RATES: "continueChat=0.5/20, management=100/1000",
    PARLEY_PLAN_LIMITS: "FREE=500/3,STARTER=-/-/-,LIFETIME=-/8/1000000",
  })
  expect(read.rateLimits.rates).toEqual({
    continueChat: { perSecond: 0.5, burst: 20 },
    management: { perSecond: 100, burst: 1_000 },
  })
  expect(read.planLimits.FREE).toEqual({ chats: 500, seats: 3 })
  expect(read.planLimits.STARTER).toEqual({ modelTokens: Infinity })
  expect(read.planLimits.LIFETIME).toEqual({ seats: 8, modelTokens: 1_000_000 })
  expect(read.planLimits.PRO).toEqual({ chats: 10_000, seats: 5 })
  for (const rates of ["chats", "chats=0/5", "chats=5", "chats=1/x"]) {
    expect(complaint({ PARLEY_RATES: rates })).toContain("PARLEY_RATES must be a list like")
  }
  expect(complaint({ PARLEY_PLAN_LIMITS: "GOLD=1/1" })).toContain("PARLEY_PLAN_LIMITS must be")
})

test("reports all problems at once, as sentences without the values", () => {
  const words = complaint({
    PORT: "99999",
    DATABASE_URL: "mysql://user:hidden@db",
    PARLEY_SECRET: "short",
    PARLEY_ROLE: "boss",
    PARLEY_PG_PREPARE: "maybe",
    PARLEY_BOOTSTRAP_TOKEN: "hidden",
    PARLEY_ALLOWED_ORIGINS: "nowhere",
    PARLEY_ADMIN_EMAILS: "ann@example.com,bob",
  })
  expect(words.split("\n- ")).toEqual([
    "The configuration cannot be used:",
    "PORT must be a whole number from 0 to 65535.",
    "DATABASE_URL must be an address with postgres://.",
    "PARLEY_PG_PREPARE must be on or off.",
    "PARLEY_ALLOWED_ORIGINS must be an address with http:// or https://.",
    "PARLEY_ADMIN_EMAILS must be e-mail addresses.",
    expect.stringMatching(/^PARLEY_SECRET must have at least 32 characters: make one with/),
    "PARLEY_BOOTSTRAP_TOKEN must have the form of an API token (parley_pat_...).",
    "PARLEY_ROLE must be one of all, management, chat.",
  ])
})

test("variables that need each other are missed", () => {
  expect(complaint({ DATABASE_URL: "postgres://db" })).toContain("PARLEY_SECRET must be set")
  expect(complaint({ PARLEY_BOOTSTRAP_TOKEN: `parley_pat_${"a".repeat(46)}` })).toContain(
    "needs PARLEY_BOOTSTRAP_EMAIL",
  )
})

test("what the outside world is reached by is read as a whole", () => {
  expect(
    readConfig({
      PARLEY_SMTP_URL: "smtps://ann%40e.com:p%3Aw@mail.example.com",
      PARLEY_SMTP_FROM: "bot@example.com",
      PARLEY_S3_ENDPOINT: "https://s3.example.com/",
      PARLEY_S3_BUCKET: "files",
      PARLEY_S3_ACCESS_KEY_ID: "key",
      PARLEY_S3_SECRET_ACCESS_KEY: "secret",
      PARLEY_GOOGLE_CLIENT_ID: "client",
      PARLEY_GOOGLE_CLIENT_SECRET: "secret",
    }),
  ).toMatchObject({
    mailServer: {
      host: "mail.example.com",
      port: 465,
      isTlsEnabled: true,
      user: { name: "ann@e.com", password: "p:w" },
      from: { email: "bot@example.com" },
    },
    bucket: { endpoint: "https://s3.example.com", region: "us-east-1", name: "files" },
    googleClient: { id: "client", secret: "secret" },
  })
})

test("blanks and line ends around values are not part of them", () => {
  const read = readConfig({
    HOST: " 0.0.0.0",
    PORT: "80\r",
    PARLEY_DATA: "/data\r",
    PARLEY_TOKEN: "\r",
  })
  expect(read).toMatchObject({ host: "0.0.0.0", port: 80, dataFolder: resolve("/data") })
  expect(read.token).toBeUndefined()
})

test("origins are read in the form in which browsers send them", () => {
  const list = "HTTPS://Shop.Example.com:443/, http://localhost:5173/app"
  expect(readConfig({ PARLEY_ALLOWED_ORIGINS: list })).toMatchObject({
    allowedOrigins: ["https://shop.example.com", "http://localhost:5173"],
  })
})

test("a mail server whose password is not percent-encoded is refused with the way out", () => {
  const complained = complaint({ PARLEY_SMTP_URL: "smtp://ann:50%off@mail.example.com" })
  expect(complained).toContain("PARLEY_SMTP_URL must have %25 for each % in name and password.")
  expect(complained).not.toContain("off")
})

test("the port for TLS of a mail server implies TLS, with any scheme", () => {
  const from = { PARLEY_SMTP_FROM: "bot@example.com" }
  const tlsOf = (url: string) =>
    readConfig({ ...from, PARLEY_SMTP_URL: url }).mailServer?.isTlsEnabled
  expect(tlsOf("smtp://mail.example.com:465")).toBe(true)
  expect(tlsOf("smtp://mail.example.com:587")).toBe(false)
  expect(tlsOf("smtp://mail.example.com")).toBe(false)
})

test("domains of people are read as they are often written", () => {
  const read = readConfig({
    PARLEY_OIDC_ISSUER: "https://id.example.com",
    PARLEY_OIDC_CLIENT_ID: "id",
    PARLEY_OIDC_CLIENT_SECRET: "secret",
    PARLEY_OIDC_DOMAINS: "@Example.com, example.org",
  })
  expect(read.openIdProvider?.domains).toEqual(["example.com", "example.org"])
})

test("people sign in at a provider over TLS, unless it is on this machine", () => {
  const words = "PARLEY_OIDC_ISSUER must be an address with https://, except on this machine."
  const rest = { PARLEY_OIDC_CLIENT_ID: "id", PARLEY_OIDC_CLIENT_SECRET: "secret" }
  for (const name of ["localhost", "localhost:8080", "127.0.0.1/realms/a", "[::1]:8080"]) {
    expect(readConfig({ ...rest, PARLEY_OIDC_ISSUER: `http://${name}` })).toBeDefined()
  }
  for (const name of ["id.example.com", "localhost.example.com", "127.0.0.10", "localhost@e.com"]) {
    expect(complaint({ ...rest, PARLEY_OIDC_ISSUER: `http://${name}` })).toContain(words)
  }
})

test("half of what belongs together is refused", () => {
  expect(complaint({ PARLEY_SMTP_URL: "smtp://mail.example.com" })).toContain(
    "PARLEY_SMTP_FROM must be set when PARLEY_SMTP_URL is.",
  )
  expect(complaint({ PARLEY_S3_BUCKET: "files" })).toContain(
    "PARLEY_S3_ENDPOINT must be set when PARLEY_S3_BUCKET is.",
  )
})

test("each of several secrets must be long enough", () => {
  expect(readConfig({ PARLEY_SECRET: `${secret},${secret}` }).secret).toBe(`${secret},${secret}`)
  expect(complaint({ PARLEY_SECRET: `${secret},short` })).toContain("PARLEY_SECRET must have")
})

test("bodies under way have room for the largest flow in the share of one address", () => {
  expect(readConfig({}).bodyBudgetBytes).toBe(52 * 1024 * 1024)
  expect(complaint({ PARLEY_BODY_BUDGET_MB: "51" })).toContain("PARLEY_BODY_BUDGET_MB")
})

test("previews by strangers are locked or denied", () => {
  expect(complaint({ PARLEY_ANONYMOUS_PREVIEW: "no" })).toContain(
    "PARLEY_ANONYMOUS_PREVIEW must be one of locked, deny.",
  )
})

test("bounds on uploads grow with the largest one, and never fall below it", () => {
  const megabyte = 1024 * 1024
  expect(readConfig({}).uploadBounds).toEqual({
    perChat: { files: 50, bytes: 100 * megabyte },
    perAddress: { files: 1_000, bytes: 2_000 * megabyte },
  })
  const large = readConfig({ PARLEY_UPLOAD_MAX_MB: "50", PARLEY_UPLOADS_PER_ADDRESS: "9/70" })
  expect(large.uploadBounds).toEqual({
    perChat: { files: 50, bytes: 500 * megabyte },
    perAddress: { files: 9, bytes: 70 * megabyte },
  })
  expect(complaint({ PARLEY_UPLOADS_PER_CHAT: "5/9" })).toContain(
    "PARLEY_UPLOADS_PER_CHAT must allow at least the 10 MB of PARLEY_UPLOAD_MAX_MB.",
  )
  for (const PARLEY_UPLOADS_PER_CHAT of ["50", "0/100", "5/0", "a/b"]) {
    expect(complaint({ PARLEY_UPLOADS_PER_CHAT })).toContain("must be files/megabytes, like 50/100")
  }
})

test("trusted code of authors on the origin of sessions is warned of", () => {
  const trusted = { PARLEY_AUTHOR_CODE: "trusted" }
  expect(riskySettings(readConfig(trusted))).toEqual([
    expect.stringContaining("set PARLEY_CHAT_URL"),
  ])
  const apart = { ...trusted, PARLEY_CHAT_URL: "https://chats.example.com" }
  expect(riskySettings(readConfig(apart))).toEqual([])
  expect(riskySettings(readConfig({}))).toEqual([])
})
