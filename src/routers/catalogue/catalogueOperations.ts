/** GET /api/v1/blocks */
import { z } from "zod"
import { exits, kinds } from "../../authoring/catalogue/catalogue.ts"
import { categories, supports } from "../../engine/schema/catalogueTraits.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { publicOperation } from "../trpc.ts"
import { readCatalogue } from "./readCatalogue.ts"

const supportSchema = z.enum(supports).meta({
  id: "ChannelSupport",
  description: "What works there: everything, a plainer form of it, or nothing",
})

const jsonSchemaSchema = z.record(z.string(), z.unknown())

const credentialFormSchema = z
  .object({
    type: z.string().describe("Type of credential, as blocks name it"),
    schema: jsonSchemaSchema.describe(
      "JSON Schema 2020-12 of its data; `x-parley` marks the members that are `secret`",
    ),
  })
  .meta({ id: "CredentialForm", description: "What a type of credential consists of" })

const entrySchema = namedObject("CatalogueEntry", "A type of block or event, as editors show it", {
  type: z.string().describe("Type as blocks and events have it"),
  kind: z.enum(kinds).describe("What a type is; types of blocks and of events may be equal"),
  category: z.enum(categories).describe("Where editors list it"),
  label: z.string().describe("At most three words, which no other type has"),
  description: z.string().describe("What it does"),
  icon: z.string().describe("Name of an icon of Lucide"),
  defaults: z
    .looseObject({ type: z.string().describe("Its type") })
    .describe("A new one, without its id; ids within are to be replaced"),
  credentials: z.string().optional().describe("Type of credential that it needs; absent: none"),
  isPaid: z.boolean().describe("Whether a bot with it cannot be published on the free plan"),
  isLegacy: z.boolean().describe("Whether only flows of former versions have it: do not offer it"),
  exits: z
    .enum(exits)
    .describe("Where edges leave: at each item, at each path of each item, at the block, nowhere"),
  channels: z
    .object({ web: supportSchema, whatsapp: supportSchema, telegram: supportSchema })
    .describe("What works in each channel"),
  schema: jsonSchemaSchema.describe(
    "JSON Schema 2020-12 without references. Members have a `title`, perhaps a `default`, which is " +
      "what their absence means, and `x-parley`: what an editor offers (`variable`, `credentials` " +
      "with the type, `tool` and `argument` of `listCredentialTools`, `code` with the language, `richText`, " +
      "`template` with tokens such as `{{City}}` of variables and `{{$shopUrl}}` of those of the workspace, " +
      "`sendsSecrets` where its secrets do not show as `•••`, `refersTo`) or makes itself " +
      "(`id`, `edge`)",
  ),
})

const exampleEntry = {
  type: "Return",
  kind: "logic",
  category: "logic",
  label: "Return",
  description: "Goes back to where a jump or an event interrupted the chat",
  icon: "undo-2",
  defaults: { type: "Return" },
  isPaid: false,
  isLegacy: false,
  exits: "none",
  channels: { web: "full", whatsapp: "full", telegram: "full" },
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Return",
    description: "Goes back to where a jump or an event interrupted the chat",
    type: "object",
    properties: {
      id: {
        title: "ID",
        description: "Id of the block",
        type: "string",
        minLength: 1,
        maxLength: 255,
        "x-parley": { id: true },
      },
      outgoingEdgeId: {
        title: "Outgoing edge",
        description: "Id of the edge to follow; an id without an edge is ignored",
        type: "string",
        "x-parley": { edge: true },
      },
      type: { title: "Type", description: "Type of the block", type: "string", const: "Return" },
      options: { title: "Options", description: "No options", type: "object", properties: {} },
    },
    required: ["id", "type"],
  },
}

export const catalogue = {
  list: publicOperation("GET /blocks", {
    operationId: "listBlocks",
    admits: "anybody",
    isConstant: true,
    isTrusted: true,
    tag: "Catalogue",
    summary: "List the types of blocks and events",
    description:
      "Everything that an editor needs to offer them and to make a form for each. It changes only with " +
      "the version of the service: send the `etag` back as `if-none-match`. The JSON Schema of whole bot " +
      "files is at `/schemas/bot.json`.",
    example: {
      query: { type: "Return" },
      response: { blocks: [exampleEntry], credentials: [] },
    },
    input: {
      type: z
        .string()
        .max(255)
        .optional()
        .describe("Only this type, and the credential that it needs"),
    },
    output: {
      blocks: z.array(entrySchema).describe("Blocks, then events"),
      credentials: z.array(credentialFormSchema).describe("The credentials that blocks need"),
      theme: jsonSchemaSchema
        .optional()
        .describe("JSON Schema of themes, as that of blocks; absent with `type`"),
      settings: jsonSchemaSchema
        .optional()
        .describe("JSON Schema of settings, as that of blocks; absent with `type`"),
    },
  }).query(async ({ input: { type } }) => {
    const all = await readCatalogue()
    if (type === undefined) return all
    const blocks = all.blocks.filter((entry) => entry.type === type)
    const needed = new Set(blocks.map(({ credentials }) => credentials))
    return { blocks, credentials: all.credentials.filter((each) => needed.has(each.type)) }
  }),
}
