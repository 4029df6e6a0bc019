/** The widget of Zendesk. */
import { expect, it } from "vitest"
import { type BlockOf, type OptionsOf, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { zendeskBlock } from "./block.ts"

type ZendeskBlock = BlockOf<typeof zendeskBlock>
type ZendeskOptions = OptionsOf<typeof zendeskBlock>

const blockOf = (options: ZendeskOptions): ZendeskBlock => ({
  id: "b",
  type: "zendesk",
  options: { credentialsId: "c", action: "Open Web Widget", webWidgetKey: "k", ...options },
})

it("21.17 has the identity signed before it opens the widget", () => {
  const block = blockOf({ userId: "{{U}}", email: "a@b.co" })
  const context = testScene({ variables: { U: "u1" } })
  expect(callOf(zendeskBlock.run(block, context))).toEqual({
    kind: "jwt",
    credential: { id: "c", type: "zendesk" },
    key: "conversationsSecretKey",
    keyId: "conversationsKeyId",
    claims: { scope: "user", external_id: "u1", email: "a@b.co", email_verified: true },
  })
  const action = zendeskBlock.resume.jwt(block, { token: "t" }, context).act?.[0]
  const code = action?.type === "codeToExecute" ? action.codeToExecute : undefined
  expect(code?.args).toEqual({ isAuthEnabled: "true", token: "t", key: "k" })
  const names = Object.keys(code?.args ?? {})
  expect(() => new Function(...names, code?.content ?? "")).not.toThrow()
})

it("21.17 opens it at once for an unknown visitor", () => {
  expect(zendeskBlock.run(blockOf({}), testScene()).act?.[0]).toMatchObject({
    codeToExecute: { args: { isAuthEnabled: "false", token: "", key: "k" } },
  })
})

it("21.17 logs a signature that could not be made", () => {
  const failure = { failed: true as const, description: "no key" }
  const step = zendeskBlock.resume.jwt(blockOf({ userId: "u" }), failure, testScene())
  expect(step.log?.[0]?.description).toBe("no key")
  expect(step.act).toBeUndefined()
})
