/** Mails by Gmail. */
import { expect, it } from "vitest"
import { type BlockOf, type OptionsOf, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { gmailBlock } from "./block.ts"

type GmailBlock = BlockOf<typeof gmailBlock>
type GmailOptions = OptionsOf<typeof gmailBlock>

const blockOf = (options: GmailOptions): GmailBlock => ({
  id: "b",
  type: "gmail",
  options: { credentialsId: "c", action: "Send email", to: "a@b.co, c@d.co", ...options },
})

it("21.18 attaches only uploads where a visitor gave the addresses", () => {
  const context = testScene({ variables: { F: "https://x.test/f" }, plain: ["F"] })
  const call = callOf(gmailBlock.run(blockOf({ attachments: "vF" }), context))
  expect(call).toMatchObject({ attachments: ["https://x.test/f"], attachesOnlyUploads: true })
})

it("21.18 sends a text mail with files of the author's from anywhere", () => {
  const block = blockOf({ subject: "S", body: "Hi {{N}}", attachments: "vF", threadId: "t" })
  const context = testScene({ variables: { N: "Ann", F: ["https://x.test/f"] } })
  expect(callOf(gmailBlock.run(block, context))).toEqual({
    kind: "email",
    credential: { id: "c", type: "gmail" },
    to: ["a@b.co, c@d.co"],
    subject: "S",
    text: "Hi Ann",
    threadId: "t",
    attachments: ["https://x.test/f"],
    attachesOnlyUploads: false,
  })
})

it("21.18 takes a value for one address, and several only where the author wrote several", () => {
  const mailOf = (options: GmailOptions, N: string) =>
    callOf(gmailBlock.run(blockOf(options), testScene({ variables: { N }, plain: ["N"] })))
  const several = "v@x.example, w@x.example"
  expect(mailOf({ to: "a@b.co, {{N}}" }, several)).toMatchObject({ to: ["a@b.co"] })
  expect(mailOf({ to: "a@b.co, {{N}}" }, "v@x.example")).toMatchObject({
    to: ["a@b.co", "v@x.example"],
  })
  expect(mailOf({ to: "{{N}}" }, several)).toBeUndefined()
  const reply = { replyTo: "{{N}}", from: "Team <{{N}}>" }
  expect(mailOf(reply, several)).not.toHaveProperty("replyTo")
  expect(mailOf(reply, several)).toMatchObject({ kind: "http", carry: "profile" })
  expect(mailOf(reply, "v@x.example")).toMatchObject({
    replyTo: "v@x.example",
    from: "Team <v@x.example>",
  })
})

it("21.18 puts a bare name before the account's address", () => {
  const block = blockOf({ from: "Support" })
  const asked = callOf(gmailBlock.run(block, testScene()))
  expect(asked).toMatchObject({ kind: "http", carry: "profile" })
  const context = { ...testScene(), carry: asked?.carry }
  const profile = { status: 200, text: '{"emailAddress":"me@x.co"}' }
  expect(callOf(gmailBlock.resume.http(block, profile, context))).toMatchObject({
    kind: "email",
    from: '"Support" <me@x.co>',
  })
  // A comma would separate two senders.
  const company = blockOf({ from: 'The "Acme", Inc.' })
  expect(callOf(gmailBlock.resume.http(company, profile, context))).toMatchObject({
    from: '"The Acme, Inc." <me@x.co>',
  })
  const whole = blockOf({ from: "Me <me@y.co>" })
  expect(callOf(gmailBlock.run(whole, testScene()))).toMatchObject({ from: "Me <me@y.co>" })
})

it("21.18 keeps the ids and labels the mail", () => {
  const block = blockOf({
    label: "L1",
    responseMapping: [{ variableId: "vM" }, { item: "Thread ID", variableId: "vT" }],
  })
  const step = gmailBlock.resume.email(block, { messageId: "m1", threadId: "t1" }, testScene())
  expect(step.set).toEqual([
    { variableId: "vM", value: "m1" },
    { variableId: "vT", value: "t1" },
  ])
  expect(callOf(step)).toMatchObject({
    request: { body: { text: '{"addLabelIds":["L1"]}' } },
    carry: "label",
  })
  const after = { ...testScene(), carry: "label" }
  expect(gmailBlock.resume.http(block, { status: 200, text: "{}" }, after)).toEqual({})
})

it("21.18 logs failures and a missing recipient", () => {
  const failure = { failed: true as const, description: "quota" }
  const step = gmailBlock.resume.email(blockOf({}), failure, testScene())
  expect(step.log?.[0]?.description).toBe("quota")
  expect(gmailBlock.run(blockOf({ to: "{{Unset}}" }), testScene()).log?.[0]?.status).toBe("error")
})
