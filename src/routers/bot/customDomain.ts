/** POST /api/v1/bots/{botId}/customDomain/check */
import { isIP } from "node:net"
import { z } from "zod"
import { proofFor, proveDomain } from "../../bots/domains/proveDomain.ts"
import { plainDomain } from "../../bots/publicIds.ts"
import type { Answer, DomainRecords } from "../../effects/network/domainRecords.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, badRequest } from "../../lib/errors.ts"
import { hasProPerks } from "../../lib/plans.ts"
import { requireBot } from "../../people/access.ts"
import type { Settings } from "../context.ts"
import { botIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

const recordSchema = namedObject("DomainRecord", "A record to enter at the DNS of a domain", {
  type: z.enum(["CNAME", "A", "AAAA", "TXT"]).describe("Type of the record"),
  name: z.string().describe("Its name"),
  value: z.string().describe("Its value"),
  isFound: z.boolean().describe("Whether the DNS has it"),
  found: z
    .array(z.string())
    .describe("What the DNS has instead, or besides: at most 20 values; empty: nothing"),
})

export const checkDomainProcedure = tokenOperation("POST /bots/{botId}/customDomain/check", {
  operationId: "checkCustomDomain",
  admits: "botWriters",
  tag: "Bots",
  summary: "Check the custom domain of a bot",
  description:
    "Looks at the DNS of `customDomain`, and says which records to enter: one that leads to this service, and a " +
    "TXT record that proves that the domain is yours. Until it is there, nothing is served at the domain, and other " +
    "workspaces may name it, too. Of several that have proven it, the last has it. A domain is looked at once a day, and is " +
    "lost when its record was missing for three days. 400 for a bot without a custom domain.",
  example: {
    response: {
      customDomain: "chat.shop.example",
      isProven: false,
      records: [
        {
          type: "CNAME",
          name: "chat.shop.example",
          value: "parley.example.com",
          isFound: false,
          found: [],
        },
        {
          type: "TXT",
          name: "_parley-challenge.chat.shop.example",
          value: "parley-5d41402abc4b2a76b9719d911017c592",
          isFound: false,
          found: [],
        },
      ],
    },
  },
  input: z.object({ botId: botIdSchema }),
  output: namedObject("CheckedDomain", "What the DNS says about the domain of a bot", {
    customDomain: z.string().describe("The domain, perhaps with a path"),
    isProven: z.boolean().describe("Whether the bot is served there"),
    records: z.array(recordSchema).describe("The records that it needs"),
  }),
}).mutation(async ({ ctx, input: { botId } }) => {
  await ctx.limit("heavyManagement", ctx.user.tokenId)
  const { customDomain, workspaceId, plan } = await requireBot(ctx, botId, "write")
  if (customDomain === null) {
    throw badRequest("The bot has no custom domain: set `customDomain` first")
  }
  if (!hasProPerks(plan)) {
    throw new AppError("DOMAIN_NOT_IN_PLAN", "Custom domains are not part of the plan")
  }
  const { records, sites } = ctx.domains
  const [host = ""] = plainDomain(customDomain).split("/")
  const proving = { db: ctx.db, records, namingKey: ctx.chat.namingKey }
  const proof = proofFor(proving, { host, workspaceId })
  const [isProven, leading, texts] = await Promise.all([
    proveDomain(proving, { host, workspaceId }),
    leadingRecord(records, host, ctx.settings),
    records.texts(proof.name),
  ])
  sites.forget(host)
  return { customDomain, isProven, records: [leading, record("TXT", proof, valuesOf(texts))] }
})

type RecordType = z.infer<typeof recordSchema>["type"]

function record(
  type: RecordType,
  wanted: { name: string; value: string },
  found: string[],
  isFound = found.includes(wanted.value),
): z.infer<typeof recordSchema> {
  return { type, ...wanted, isFound, found }
}

/** The record that leads to this service. Addresses count for its name, as domains without a subdomain have no other. */
async function leadingRecord(
  records: DomainRecords,
  name: string,
  { chatUrl, publicUrl }: Settings,
): Promise<z.infer<typeof recordSchema>> {
  const value = new URL(chatUrl ?? publicUrl).hostname.replace(/^\[|\]$/g, "")
  const family = isIP(value)
  const found = valuesOf(await records.addresses(name))
  if (family !== 0) return record(family === 4 ? "A" : "AAAA", { name, value }, found)
  const [names, own] = await Promise.all([records.canonicalName(name), records.addresses(value)])
  const isSame = found.length > 0 && valuesOf(own).some((address) => found.includes(address))
  const known = [...valuesOf(names), ...found]
  return record("CNAME", { name, value }, known, isSame || known.includes(value))
}

function valuesOf(answer: Answer): string[] {
  return typeof answer === "string" ? [] : answer.values
}
