/** Ratings of flows by the words and domains that the operator lists. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../../../test/support/bots.ts"
import { rateFlow } from "./rateFlow.ts"
import { readRiskWords } from "./riskWords.ts"

const words = readRiskWords("paypal\nverify your account\npassword\n密码\nevil.example")
const rate = (flow: unknown, isNew = false) => rateFlow(flow, words, isNew)
const saying = (...texts: string[]) => bot(group("A", ...texts.map((text) => say(text))))

describe("a flow is rated", () => {
  test("by its listed words, each once, more in a new workspace", () => {
    expect(rate(saying("Hello"))).toEqual({ level: 0, found: [] })
    expect(rate(saying("Hello"), true)).toEqual({ level: 20, found: [] })
    expect(rate(saying("PayPal", "paypal"))).toEqual({ level: 35, found: ["paypal"] })
    const two = saying("PayPal: please verify  your\naccount!")
    expect(rate(two)).toEqual({ level: 70, found: ["paypal", "verify your account"] })
    expect(rate(two, true).level).toBe(90)
    expect(rate(saying("PayPal password: verify your account"), true).level).toBe(100)
  })

  test.each([
    "see evil.example.",
    "https://www.EVIL.example/path",
    "https://paypal.example@evil.example:8443/",
    "https://ev%69l.example/",
    "https:\\\\evil.example\\x",
  ])("by a link to a listed domain: %s", (link) => {
    expect(rate(saying(link)).found).toContain("evil.example")
    expect(rate(saying(link)).level).toBeGreaterThan(80)
  })

  test("by no part of another word or domain", () => {
    expect(rate(saying("passwordless, verify your own account, notevil.example")).found).toEqual([])
    expect(rate(saying("evil.example.org, evil-example")).found).toEqual([])
  })

  test("by words of writing without spaces", () => {
    expect(rate(saying("请输入密码继续")).found).toEqual(["密码"])
  })

  test("by words that marks cut in pieces", () => {
    const children = [{ text: "pass" }, { text: "wo", bold: true }, { text: "rd" }]
    const block = { ...say(""), content: { richText: [{ type: "p", children }] } }
    expect(rate(bot(group("A", block))).found).toEqual(["password"])
  })

  test("by all of its texts: of questions, buttons, code, settings, variables", () => {
    const flow = saying("Hello")
    for (const place of [
      { groups: [{ blocks: [ask.text({ labels: { placeholder: "Password" } })] }] },
      { groups: [{ blocks: [{ items: [{ content: "Password" }] }] }] },
      { settings: { metadata: { title: "Password" } } },
      { variables: [{ id: "v", name: "v", value: "Password" }] },
    ]) {
      expect(rate({ ...flow, ...place }).found).toEqual(["password"])
    }
  })
})

test("a rating takes time linear in hostile texts", () => {
  for (const part of ["a.", "a", "-", "密", "verify your ", "https://", "\u0301"]) {
    rate(saying(part.repeat(1_000_000 / part.length)))
  }
})

test("a rating takes time linear in nested paragraphs", () => {
  let node: object = { text: "a".repeat(1_000_000) }
  for (let depth = 0; depth < 2_000; depth++) node = { type: "p", children: [node] }
  expect(rate({ groups: [node] }).found).toEqual([])
})
