/** Hosts and e-mail addresses are compared in one form, wherever that happens. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { plainDomain } from "../../src/bots/publicIds.ts"
import { isAllowedPlace, readAllowedHost } from "../../src/effects/credentials/credentialHosts.ts"
import { createAddressRules } from "../../src/effects/network/addressRules.ts"
import { emailSchema } from "../../src/people/mailAddress.ts"

const root = fileURLToPath(new URL("../../src", import.meta.url))

const plain = "in plain form"
const asBrowsers = "as browsers do, to whom a dot at the end makes another origin"

/** How each file compares hosts or origins. */
const comparing: Readonly<Record<string, string>> = {
  "authoring/risk/rateFlow.ts": plain,
  "authoring/risk/riskWords.ts": plain,
  "authoring/secrets/planExtraction.ts": plain,
  "bots/domains/ownHosts.ts": plain,
  "bots/publicIds.ts": plain,
  "effects/credentials/credentialHosts.ts": plain,
  "effects/network/addressRules.ts": plain,
  "engine/allowedHosts.ts": plain,
  "engine/blocks/services/models/openAiApi.ts": plain,
  "http/dispatch.ts": plain,
  "http/pages/metricsEndpoint.ts": plain,
  "http/sites.ts": plain,
  "app/config.ts": plain,
  "app/serve.ts": plain,
  "people/mailAddress.ts": plain,
  "app/localPages.ts": asBrowsers,
  "chat/sessions/loadSession.ts": asBrowsers,
  "http/answer.ts": asBrowsers,
  "http/openapi/referencePage.ts": asBrowsers,
  "http/pages/chatPage.ts": asBrowsers,
  "http/signIn/signInEndpoint.ts": asBrowsers,
  "people/sessionCookie.ts": asBrowsers,
  "routers/trpc.ts": asBrowsers,
  "effects/httpRequest.ts": "as it is: it only cuts addresses",
  "effects/network/proxy.ts": "as it is: it only writes addresses",
  "effects/network/redirect.ts": "as they are: secrets are not sent on to another spelling",
  "postgres/startEmbedded.ts": "folders of sockets",
}

const named = String.raw`(?:\.(?:hostname|host)\b|(?<!row|found|known\?)\.origin\b|[oO]rigins\.includes)`
const comparison = new RegExp(
  String.raw`${named}.*(?:[!=]==|toLowerCase)|(?:[!=]==|includes\(|\bhas\().*${named}|[oO]rigins\.includes|plainHost\(`,
)

const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|^(?:pages|client)\//.test(path))
  .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n") }))

test("every file that compares hosts or origins is listed with the form that it uses", () => {
  const found = sources.filter(({ path, lines }) =>
    lines.some((line) => comparison.test(line) && path !== "lib/plainHost.ts"),
  )
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(comparing).sort())
})

test("files that compare in plain form use the one function for it", () => {
  const others = sources.filter(
    ({ path, lines }) => comparing[path] === plain && !lines.join("\n").includes("plainHost("),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})

test("lists of operators and owners take a host in any spelling", () => {
  const spellings = ["xn--4ca.example", "ä.example", "Ä.EXAMPLE.", "a\u0308.example"]
  for (const spelling of spellings) {
    for (const other of spellings) {
      expect(createAddressRules([spelling]).isListed(other, 443)).toBe(true)
      const allowedHosts = [readAllowedHost(spelling) ?? ""]
      const credential = { type: "http", data: {}, allowedHosts }
      expect(isAllowedPlace(credential, `https://${other}/x`)).toBe(true)
      expect(plainDomain(`${spelling}/help`)).toBe(plainDomain(`${other}/help`))
      expect(emailSchema.parse(`Ann@${spelling}`)).toBe(emailSchema.parse(`ann@${other}`))
    }
  }
})

test("no file makes a form of e-mail addresses of its own", () => {
  const own = sources.filter(({ lines }) =>
    lines.some((line) => /mail\w*\)?\.(?:trim|toLowerCase)\(|z\.email\((?!form)/.test(line)),
  )
  // What a mail server or a service account is told stays as it was written.
  expect(own.map(({ path }) => path).sort()).toEqual([
    "effects/credentials/credentialTypes.ts",
    "people/mailAddress.ts",
  ])
})
