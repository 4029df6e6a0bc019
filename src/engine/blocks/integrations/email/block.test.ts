/** Recipients and contents of mails. */
import { describe, expect, it } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { type EmailOptions, emailBlock } from "./block.ts"

const run = (options: EmailOptions | undefined, parts: SceneParts = {}) =>
  emailBlock.run({ id: "b", type: "Email", ...(options ? { options } : {}) }, testScene(parts))

function mailOf(options: EmailOptions, parts: SceneParts = {}) {
  const step = run({ credentialsId: "default", recipients: ["a@b.co"], ...options }, parts)
  return typeof step.next === "object" && "call" in step.next ? step.next.call : undefined
}

describe("20.6 a mail block", () => {
  it("does nothing without options or recipients", () => {
    expect(run(undefined)).toEqual({})
    expect(run({ credentialsId: "c", recipients: ["{{Unset}}"] })).toEqual({})
  })

  it("logs that none of the recipients is an address", () => {
    const { log } = run({ recipients: ["{{Said}}"] }, { variables: { Said: "a@b.co, c@d.co" } })
    const description = "None of the recipients is a mail address"
    expect(log).toEqual([{ status: "error", description, isInternal: true }])
  })

  it("only informs in a preview", () => {
    const step = run({ credentialsId: "c", recipients: ["a@b.co"] }, { chat: { isPreview: true } })
    expect(step).toEqual({
      log: [{ status: "info", description: "Mails are not sent in a preview" }],
    })
  })

  it("logs a missing account", () => {
    expect(run({ recipients: ["a@b.co"] }).log?.[0]?.status).toBe("error")
  })

  it("fills in addresses, spreads lists, and takes the sender's name from the reply address", () => {
    const mail = mailOf(
      {
        credentialsId: "c1",
        recipients: ["{{Mail}}", "{{All}}"],
        cc: ["c@d.co"],
        bcc: ["{{Unset}}"],
        replyTo: "{{Name}} <r@b.co>",
        subject: "Hi {{Name}}",
        body: "Text",
        attachmentsVariableId: "vFiles",
      },
      { variables: { Mail: "m@b.co", All: ["x@b.co", "y@b.co"], Name: "Ann", Files: "u1, u2" } },
    )
    expect(mail).toEqual({
      kind: "email",
      credential: { id: "c1", type: "smtp" },
      to: ["m@b.co", "x@b.co", "y@b.co"],
      cc: ["c@d.co"],
      replyTo: "Ann <r@b.co>",
      senderName: "Ann",
      subject: "Hi Ann",
      text: "Text",
      attachments: ["u1", "u2"],
      attachesOnlyUploads: false,
    })
  })

  it("attaches only uploads where a visitor gave the addresses", () => {
    const parts = { variables: { Files: "https://e.co/a.pdf" }, plain: ["Files"] }
    const mail = mailOf({ attachmentsVariableId: "vFiles" }, parts)
    expect(mail).toMatchObject({ attachesOnlyUploads: true })
  })

  it("takes a value for one address, and several only where the author wrote several", () => {
    const many = Array.from({ length: 300 }, (_, index) => `v${index}@b.co`)
    const parts = {
      variables: {
        Mail: "m@b.co",
        Commas: many.join(", "),
        Semicolons: many.join(";"),
        Lines: "m@b.co\nBcc: x@b.co",
        Group: "All: a@b.co, b@b.co;",
        Named: '"x@b.co, y@b.co" <n@b.co>',
        Twice: "a@b.co <x@b.co> <y@b.co>",
        List: many,
        Own: ["o@b.co", "p@b.co, q@b.co"],
      },
      plain: ["Mail", "Commas", "Semicolons", "Lines", "Group", "Named", "Twice", "List"],
    }
    const to = (...recipients: string[]) => mailOf({ recipients }, parts)?.to
    expect(to("{{Mail}}, Boss <{{Mail}}>; {{Mail}}")).toEqual(["m@b.co", "Boss <m@b.co>", "m@b.co"])
    for (const name of ["Commas", "Semicolons", "Lines", "Group", "Twice"]) {
      expect(to("c@d.co", `{{${name}}}`, `<{{${name}}}>`)).toEqual(["c@d.co"])
      const copies = mailOf(
        { cc: [`{{${name}}}`], bcc: [`{{${name}}}`], replyTo: `{{${name}}}` },
        parts,
      )
      expect([copies?.cc, copies?.bcc, copies?.replyTo]).toEqual([undefined, undefined, undefined])
    }
    expect(to("{{Named}}")).toEqual(['"x@b.co, y@b.co" <n@b.co>'])
    expect(to("{{List}}")).toEqual(["v0@b.co"])
    expect(to("{{Own}}")).toEqual(["o@b.co"])
    expect(to("a@b.co, c@d.co")).toEqual(["a@b.co, c@d.co"])
  })

  it("sends text unchanged, and escapes the words of visitors in HTML", () => {
    const parts = {
      variables: { A: "<b> & c", Lines: "one\n<i>two", All: ["<u>", "v"], Q: "'&\"" },
      plain: ["Lines", "All", "Q"],
    }
    const inText = (body: string) => mailOf({ body }, parts)
    expect(inText("x {{A}} {{Lines}}")).toMatchObject({ text: "x <b> & c one\n<i>two" })
    expect(inText("{{Lines}}")).toMatchObject({ text: "one\n<i>two" })
    expect(inText("{{All}}")).toMatchObject({ text: "<u>\nv" })
    const inHtml = (body: string) => mailOf({ isBodyCode: true, body }, parts)
    expect(inHtml("x {{A}} {{Lines}}")).toMatchObject({ html: "x <b> & c one\n&lt;i&gt;two" })
    expect(inHtml("{{Lines}}")).toMatchObject({ html: "one<br />&lt;i&gt;two" })
    expect(inHtml("{{All}}")).toMatchObject({ html: "&lt;u&gt;<br />v" })
    expect(inHtml("{{A}}")).toMatchObject({ html: "<b> & c" })
    expect(inHtml("<a title='{{Q}}'>")).toMatchObject({ html: "<a title='&#39;&amp;&quot;'>" })
  })

  it("lists answers when the body is off or absent and empty", () => {
    const parts: SceneParts = {
      variables: { A: "1 < 2" },
      answers: [["Q", "yes"]],
    }
    const off = mailOf({ isCustomBody: false, body: "ignored" }, parts)
    expect(off).toEqual(mailOf({}, parts))
    expect(off).toMatchObject({ html: expect.stringContaining("1 &lt; 2") })
    expect(JSON.stringify(off)).not.toContain("submittedAt")
  })

  it("logs its outcome", () => {
    const block = { id: "b", type: "Email" as const }
    const failure = { failed: true as const, description: "Refused", details: "no such user" }
    expect(emailBlock.resume.email(block, {}, testScene()).log).toEqual([
      { status: "success", description: "Mail sent", isInternal: true },
    ])
    expect(emailBlock.resume.email(block, failure, testScene()).log).toEqual([
      {
        status: "error",
        description: "Mail not sent",
        isInternal: true,
        details: "Refused: no such user",
      },
    ])
  })
})
