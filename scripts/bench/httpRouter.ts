/** Two procedures without a database, for measuring what lies around them: a trivial and a realistic one. */
import { z } from "zod"
import { publicProcedure, router } from "../../src/routers/trpc.ts"

const filterSchema = z.object({
  field: z.string().max(100),
  operator: z.enum(["is", "isNot", "contains", "isMoreThan"]),
  value: z.union([z.string(), z.number(), z.boolean()]),
  note: z.string().max(200).optional(),
})
const searchSchema = z.object({
  botId: z.string().max(100),
  limit: z.number().int().min(1).max(500),
  isDeep: z.boolean(),
  tags: z.array(z.string().max(40)).max(50),
  filters: z.array(filterSchema).max(50),
})
const resultSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  isCompleted: z.boolean(),
  lastGroupId: z.string().nullable(),
  variables: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  answers: z.array(z.object({ blockId: z.string(), content: z.string() })),
})
const pageSchema = z.object({ results: z.array(resultSchema), nextCursor: z.string().nullable() })

const operators = ["is", "isNot", "contains", "isMoreThan"] as const

/** What the procedures are asked; the second has 2 kB. */
export const questions = {
  trivial: { name: "Ann" },
  realistic: {
    botId: "clx0b3k5s0000356o8q2w7v9d",
    limit: 50,
    isDeep: true,
    tags: ["customers", "newsletter", "summer"],
    filters: Array.from({ length: 16 }, (_, index) => ({
      field: `Variable ${index}`,
      operator: operators[index % operators.length],
      value: index % 3 === 0 ? index * 7 : `Value ${index}`,
      note: `Filter ${index} keeps whoever came here by the newsletter`,
    })),
  },
}

/** What the second one answers: 5.5 kB. */
const page: z.infer<typeof pageSchema> = {
  results: Array.from({ length: 12 }, (_, index) => ({
    id: `clx0b3k5s00${index + 10}356o8q2w7v9d`,
    createdAt: new Date(1_760_000_000_000 + index * 61_000).toISOString(),
    isCompleted: index % 2 === 0,
    lastGroupId: index % 4 === 0 ? null : `group-${index}`,
    variables: ["Name", "Email", "Score"].map((name) => ({
      name,
      value: index % 5 === 0 ? null : `${name} of visitor ${index}`,
    })),
    answers: ["welcome", "email", "rating"].map((blockId) => ({
      blockId,
      content: `What visitor ${index} said`,
    })),
  })),
  nextCursor: "clx0b3k5s0022356o8q2w7v9d",
}

/** The router of the bench. */
export const benchRouter = router({
  trivial: publicProcedure
    .meta({ openapi: { method: "POST", path: "/api/v1/trivial" } })
    .input(z.object({ name: z.string() }))
    .output(z.object({ message: z.string() }))
    .mutation(({ input }) => ({ message: `Hello ${input.name}` })),
  realistic: publicProcedure
    .meta({ openapi: { method: "POST", path: "/api/v1/realistic" } })
    .input(searchSchema)
    .output(pageSchema)
    .mutation(() => page),
})
