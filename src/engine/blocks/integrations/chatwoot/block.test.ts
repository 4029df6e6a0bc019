/** The widget of Chatwoot. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { type ChatwootOptions, chatwootBlock } from "./block.ts"

function scriptOf(options?: ChatwootOptions, context = testScene()) {
  const step = chatwootBlock.run(
    { id: "b", type: "Chatwoot", ...(options ? { options } : {}) },
    context,
  )
  const action = step.act?.[0]
  return action?.type === "chatwoot" ? action.chatwoot.scriptToExecute : undefined
}

it("20.10 loads the SDK, identifies the user by arguments, and opens the widget", () => {
  const script = scriptOf(
    { websiteToken: "tok", user: { email: "{{Mail}}", name: "Dr {{Name}}" } },
    testScene({ variables: { Mail: "a@b.co", Name: 'A{{Mail}}"' } }),
  )
  expect(script?.args).toEqual([{ id: "vMail", value: "a@b.co" }])
  expect(script?.content).toContain('"https://app.chatwoot.com"')
  expect(script?.content).toContain('websiteToken: "tok"')
  expect(script?.content).toContain("setUser(visitor, { email: one(vMail), name: one(")
  expect(() => new Function("vMail", script?.content ?? "")).not.toThrow()
})

it.each([
  [{ Id: "7", Mail: "a@b.co" }, ["7"]],
  [{ Id: undefined, Mail: "a@b.co" }, ["a@b.co"]],
  // All visitors without an id would share one contact and its messages.
  [{ Id: undefined, Mail: undefined }, []],
  // A variable that was deleted.
  [{ Mail: "a@b.co" }, ["a@b.co"]],
  // A visitor with several values is still one contact.
  [{ Id: ["7", "8"], Mail: undefined }, ["8"]],
])("20.10 identifies a visitor with the values %j", (variables, identified) => {
  const user = { id: "{{Id}}", email: "{{Mail}}" }
  const { args = [], content = "" } = scriptOf({ user }, testScene({ variables })) ?? {}
  const names: unknown[] = []
  const setUser = (name: unknown) => names.push(name)
  const window = { $chatwoot: { hasLoaded: true, setUser, toggle: () => {} } }
  new Function("window", ...args.map(({ id }) => id), content)(
    window,
    ...args.map(({ value }) => value),
  )
  expect(names).toEqual(identified)
})

it("20.10 closes the widget, in previews too", () => {
  const script = scriptOf({ task: "Close widget" }, testScene({ chat: { isPreview: true } }))
  expect(script?.content).toContain('toggle("close")')
  expect(() => new Function(script?.content ?? "")).not.toThrow()
})

it("20.10 sends an empty script and an information in a preview", () => {
  const context = testScene({ chat: { isPreview: true } })
  const step = chatwootBlock.run({ id: "b", type: "Chatwoot" }, context)
  expect(step.act).toEqual([
    { type: "chatwoot", chatwoot: { scriptToExecute: { content: "", args: [] } } },
  ])
  expect(step.log?.[0]?.status).toBe("info")
})
