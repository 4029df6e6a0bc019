/** Tests that calls of models are described by fixed names, and by the tokens that providers report. */
import { expect, test } from "vitest"
import { providerOf, useOf } from "./modelUse.ts"

const protocol = "chatCompletions"

test.each([
  ["https://api.openai.com/v1", "openai"],
  ["https://shop.openai.azure.com/openai", "azure.ai.openai"],
  ["https://api.mistral.ai/v1", "mistral_ai"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["https://api.x.ai/v1", "x_ai"],
  ["https://max.ai/v1", "other"],
  ["https://openai.com.example.com/v1", "other"],
  ["http://127.0.0.1:11434/v1", "other"],
  ["{{Where}}", "other"],
])("the provider of %s is %s", (baseUrl, provider) => {
  expect(providerOf({ protocol, baseUrl })).toBe(provider)
})

test("an app of Dify is Dify's, wherever it runs", () => {
  const app = { protocol: "difyChat", baseUrl: "https://dify.example.com" } as const
  expect(useOf(app, undefined)).toEqual({ provider: "dify" })
})

const asked = { protocol, baseUrl: "https://api.groq.com/openai/v1" } as const

test("tokens that are only reported in total count as input", () => {
  expect(useOf(asked, { total: 9 })).toMatchObject({ inputTokens: 9, outputTokens: 0 })
  expect(useOf(asked, { total: 9, completion: 4 })).toMatchObject({
    inputTokens: 5,
    outputTokens: 4,
  })
})

test.each([
  [-5, 0],
  [1.5, 2],
  [1e300, 100_000_000],
])("%d tokens, as a server may report them, count as %d", (reported, counted) => {
  expect(useOf(asked, { prompt: reported, completion: reported })).toMatchObject({
    inputTokens: counted,
    outputTokens: counted,
  })
})

test.each([
  "gpt-4o-2024-08-06",
  "ft:gpt-4o-mini:acme:shop:8Gx1",
  "meta-llama/Llama-3.3-70B",
  "openrouter/auto:free",
])("%s is the name of a model", (model) => {
  expect(useOf({ ...asked, model }, undefined).model).toBe(model)
})

test.each(["I am Ann", "ann@example.com", "x".repeat(101), " "])("%s is none", (model) => {
  expect(useOf({ ...asked, model }, undefined)).toEqual({ provider: "groq" })
})
