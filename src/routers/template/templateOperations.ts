/** GET /api/v1/templates */
import { z } from "zod"
import { pictureOf } from "../../bots/starters/drawStarter.ts"
import { starters } from "../../bots/starters/starters.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { operationsOf } from "../trpc.ts"

const operation = operationsOf("Bots")

const templateSchema = namedObject("Template", "A bot to begin with", {
  id: z.string().describe("Id, for `fromTemplate` of an import"),
  name: z.string().describe("Name of its bots"),
  description: z.string().describe("What it does, and what to connect"),
  category: z.string().describe("What it is for: Sales, Feedback, Support and so on"),
  picture: z.string().describe("Its first messages as an SVG of 320 × 200, in a `data:` address"),
})

const templates = starters.map((starter) => {
  const { id, name, description, category } = starter
  return { id, name, description, category, picture: pictureOf(starter) }
})

export const templateProcedures = {
  list: operation("GET /templates", {
    operationId: "listTemplates",
    admits: "accounts",
    scope: "any",
    takesTargetedToken: true,
    summary: "List templates",
    description:
      `The bots that come with the service, at most ${starters.length}. Each can be published as it is; those that use a model ` +
      "or another system do without until one is connected.",
    example: {
      query: { id: "quiz" },
      response: { templates: templates.filter(({ id }) => id === "quiz") },
    },
    input: {
      id: z.string().max(255).optional().describe("Only this one"),
    },
    output: { templates: z.array(templateSchema).describe("In the order to show them") },
  }).query(({ input: { id } }) => ({
    templates: id === undefined ? templates : templates.filter((each) => each.id === id),
  })),
}
