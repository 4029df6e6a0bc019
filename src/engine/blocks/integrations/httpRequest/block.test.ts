/** HTTP requests and the parts kept of their responses. */
import { describe, expect, it } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import type { Call } from "../../../calls.ts"
import type { Step } from "../../block.ts"
import { httpRequestBlock, makeComBlock, pabblyBlock, zapierBlock } from "./block.ts"
import type { HttpOptions, HttpRequestBlock } from "./schema.ts"

const blockOf = (options?: HttpOptions): HttpRequestBlock =>
  httpRequestBlock.schema.parse({ id: "b", type: "Webhook", options })

const callOf = (step: Step<"http" | "script">): Call<"http" | "script"> | undefined =>
  typeof step.next === "object" && "call" in step.next ? step.next.call : undefined

function requestOf(options: HttpOptions, parts: SceneParts = {}) {
  const call = callOf(httpRequestBlock.run(blockOf(options), testScene(parts)))
  return call?.kind === "http" ? call.request : undefined
}

describe("22.4 an HTTP request block with a credential", () => {
  const webhook = { url: "https://a.test" }

  it("names it in the call, and leaves its own headers to the service", () => {
    const call = callOf(httpRequestBlock.run(blockOf({ webhook, credentialsId: "c" }), testScene()))
    expect(call).toMatchObject({ credential: { id: "c", type: "http" } })
  })

  it("is never made by the client, which would need the secret", () => {
    const block = blockOf({ webhook, credentialsId: "c", isExecutedOnClient: true })
    expect(callOf(httpRequestBlock.run(block, testScene()))?.kind).toBe("http")
    expect(httpRequestBlock.waits?.(block)).toBe(false)
  })

  it("logs for authors alone why the credential was not used", () => {
    const details = 'The credential "A" does not allow the host b.test.'
    const outcome = {
      failed: true as const,
      description: "No",
      details,
      reason: "credentials" as const,
    }
    const block = blockOf({ webhook, credentialsId: "c" })
    const { log } = httpRequestBlock.resume?.http?.(block, outcome, testScene()) ?? {}
    const description = "The credential of the HTTP request could not be used"
    expect(log).toEqual([{ status: "error", description, details, isInternal: true }])
  })
})

describe("20.1 an HTTP request block", () => {
  it("does nothing without a request and logs a missing address", () => {
    expect(httpRequestBlock.run(blockOf(), testScene())).toEqual({})
    expect(httpRequestBlock.run(blockOf({}), testScene())).toEqual({})
    expect(httpRequestBlock.run(blockOf({ webhook: { url: "{{X}}" } }), testScene()).log).toEqual([
      { status: "error", description: "The HTTP request has no address" },
    ])
  })

  it("20.2 posts all values of the chat by default", () => {
    const request = requestOf(
      { webhook: { url: "https://a.test/{{A}}" } },
      { variables: { A: 'q"1', L: ["a", "b"] } },
    )
    expect(request).toEqual({
      method: "POST",
      url: 'https://a.test/q"1',
      body: {
        text: JSON.stringify({
          submittedAt: "2026-01-02T03:04:05.678Z",
          A: 'q"1',
          L: "a,b",
        }),
        contentType: "application/json",
      },
    })
  })

  it("20.2 keeps the words of a visitor one field of a form that is written as text", () => {
    const webhook = {
      url: "https://a.test",
      headers: [{ key: "Content-Type", value: "application/x-www-form-urlencoded" }],
      body: "name={{A}}&role=user",
    }
    const parts = { variables: { A: "x&role=admin" }, plain: ["A"] }
    const request = requestOf({ isCustomBody: true, webhook }, parts)
    const text = request?.body && "text" in request.body ? request.body.text : ""
    expect([...new URLSearchParams(String(text))]).toEqual([
      ["name", "x&role=admin"],
      ["role", "user"],
    ])
  })

  it("20.2 escapes values inside of a custom body and keeps large numbers as written", () => {
    const request = requestOf(
      {
        isCustomBody: true,
        webhook: { url: "u", body: '{"n":"{{A}}","l":{{L}},"i":12345678901234567890}' },
      },
      { variables: { A: 'q"1', L: ["a", "b"] } },
    )
    expect(request?.body).toEqual({
      text: '{"n":"q\\"1","l":["a","b"],"i":12345678901234567890}',
      contentType: "application/json",
    })
  })

  it("20.2 inserts a body that is one variable unchanged and sends no empty body", () => {
    const options = { isCustomBody: true, webhook: { url: "u", body: "{{Full body}}" } }
    expect(requestOf(options, { variables: { "Full body": '{"a":"b"}' } })?.body).toEqual({
      text: '{"a":"b"}',
      contentType: "application/json",
    })
    expect(requestOf(options)?.body).toBeUndefined()
  })

  it("20.2 sends text that is not JSON as text, and fields when the header says so", () => {
    const webhook = { url: "u", body: "hello {{A}}" }
    expect(requestOf({ isCustomBody: true, webhook }, { variables: { A: "x" } })?.body).toEqual({
      text: "hello x",
    })
    for (const key of ["Content-Type", "content-type"]) {
      const form = requestOf({
        isCustomBody: true,
        webhook: {
          url: "u",
          body: '{"a":1,"b":["x","y"],"c":{"d":true},"e":null}',
          headers: [{ key, value: "application/x-www-form-urlencoded" }],
        },
      })
      expect(form?.body).toEqual({
        form: [
          ["a", "1"],
          ["b", "x"],
          ["b", "y"],
          ["c", '{"d":true}'],
        ],
      })
    }
  })

  it.each([
    ["https://a.test/p", "https://a.test/p?q=1"],
    ["https://a.test/p?a=b", "https://a.test/p?a=b&q=1"],
    ["https://a.test/p#part?x", "https://a.test/p?q=1#part?x"],
  ])("20.1 adds its query to %s", (url, whole) => {
    const queryParams = [{ key: "q", value: "1" }]
    expect(requestOf({ webhook: { url, method: "GET", queryParams } })?.url).toBe(whole)
  })

  it("20.1 repeats query parameters, drops empty pairs, and lets the last header win", () => {
    const request = requestOf(
      {
        webhook: {
          url: "https://a.test",
          method: "GET",
          queryParams: [
            { key: "q", value: "a b" },
            { key: "q", value: "c" },
            { key: "x", value: "{{Unset}}" },
          ],
          headers: [
            { key: "X-Key", value: "1" },
            { key: "x-key", value: "2" },
            { key: "Authorization", value: "Basic user:pass" },
          ],
        },
      },
      {},
    )
    expect(request).toEqual({
      method: "GET",
      url: "https://a.test?q=a%20b&q=c",
      headers: [
        ["x-key", "2"],
        ["Authorization", "Basic dXNlcjpwYXNz"],
      ],
    })
  })

  it.each([
    true,
    false,
  ])("20.1 refuses to send a header that a value would split, and logs its name (%s)", (isExecutedOnClient) => {
    const headers = [
      { key: "X-Roles", value: "user, {{A}}" },
      { key: "X-Other", value: "fine" },
    ]
    const block = blockOf({
      isExecutedOnClient,
      webhook: { url: "https://a.test", headers },
      responseVariableMapping: [{ variableId: "vB", bodyPath: "statusCode" }],
    })
    const variables = { A: "x, admin", B: undefined }
    const step = httpRequestBlock.run(block, testScene({ variables, plain: ["A"] }))
    expect(step.act).toBeUndefined()
    expect(step.log).toEqual([
      {
        status: "error",
        description: "A header of the HTTP request cannot hold its value",
        details: "X-Roles: The value contains a comma, a semicolon or a quotation mark",
        isInternal: true,
      },
    ])
    expect(callOf(step)).toMatchObject({
      kind: "script",
      scripts: [{ globals: { statusCode: 400 } }],
    })
    const tame = testScene({ variables: { ...variables, A: "guest" }, plain: ["A"] })
    const sent = JSON.stringify(httpRequestBlock.run(block, tame))
    expect(sent).toContain("user, guest")
  })

  it("13.4 waits as long as the author allows, at most two minutes", () => {
    const timeoutOf = (timeout?: number) => {
      const block = blockOf({ webhook: { url: "u" }, ...(timeout ? { timeout } : {}) })
      const call = callOf(httpRequestBlock.run(block, testScene()))
      return call?.kind === "http" ? call.timeoutMs : undefined
    }
    expect([timeoutOf(), timeoutOf(10), timeoutOf(500)]).toEqual([120_000, 10_000, 120_000])
  })
})

describe("20.3 the answer to an HTTP request", () => {
  const mapped = blockOf({
    webhook: { url: "https://a.test", headers: [{ key: "Authorization", value: "Bearer s3cret" }] },
    responseVariableMapping: [
      { variableId: "vA", bodyPath: "data.items[0].name" },
      { variableId: "unknown", bodyPath: "data" },
      { variableId: "vB", bodyPath: "statusCode" },
    ],
  })
  const context = testScene({ variables: { A: undefined, B: undefined } })

  it("is logged without headers and mapped by scripts", () => {
    const step = httpRequestBlock.resume.http(
      mapped,
      { status: 200, text: '{"items":[{"name":"x"}]}' },
      context,
    )
    expect(step.log?.[0]).toMatchObject({ status: "success", description: "HTTP request answered" })
    expect(step.log?.[0]?.details).not.toContain("s3cret")
    const globals = { statusCode: 200, data: { items: [{ name: "x" }] } }
    expect(callOf(step)).toEqual({
      kind: "script",
      scripts: [
        { code: "return data.items[0].name", globals, mode: "expression" },
        { code: "return statusCode", globals, mode: "expression" },
      ],
    })
  })

  it("20.4 stores the results of the scripts and skips those that failed", () => {
    const results = [{ value: ["x"] }, { failed: true as const, description: "no" }]
    expect(httpRequestBlock.resume.script(mapped, { results }, context)).toEqual({
      set: [{ variableId: "vA", value: ["x"] }],
    })
  })

  it("treats a response nested too deeply as text", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000)
    const step = httpRequestBlock.resume.http(mapped, { status: 200, text }, context)
    expect(step.log?.[0]).toMatchObject({ status: "success" })
    expect(callOf(step)).toMatchObject({ scripts: [{ globals: { data: text } }, {}] })
  })

  it("20.3 continues after a refusal, a timeout and a blocked address", () => {
    const outcomes = [
      { status: 404, text: "gone" },
      { failed: true as const, description: "too slow", reason: "timeout" as const },
      { failed: true as const, description: "private", reason: "blocked" as const },
      { failed: true as const, description: "no route" },
    ]
    const steps = outcomes.map((outcome) => httpRequestBlock.resume.http(mapped, outcome, context))
    expect(steps.map((step) => step.log?.[0]?.description)).toEqual([
      "HTTP request failed",
      "HTTP request failed",
      "The address of the HTTP request is not allowed",
      "HTTP request failed",
    ])
    // Details contain the request, so only authors get them.
    expect(steps.map((step) => step.log?.[0]?.details !== undefined)).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(steps.map((step) => step.log?.[0]?.isInternal === true)).toEqual([
      true,
      true,
      false,
      true,
    ])
    const statuses = steps.map((step) => {
      const call = callOf(step)
      return call?.kind === "script" ? call.scripts[0]?.globals.statusCode : undefined
    })
    expect(statuses).toEqual([404, 408, 400, 500])
  })
})

describe("20.5 a request that the client makes", () => {
  const block = blockOf({
    isExecutedOnClient: true,
    isCustomBody: true,
    webhook: { url: "https://a.test", body: '{"a":1}', headers: [{ key: "X", value: "y" }] },
    responseVariableMapping: [{ variableId: "vA", bodyPath: "data" }],
  })
  const context = testScene({ variables: { A: undefined } })

  it("is handed over and waited for", () => {
    expect(httpRequestBlock.run(block, context)).toEqual({
      act: [
        {
          type: "httpRequestToExecute",
          httpRequestToExecute: {
            url: "https://a.test",
            method: "POST",
            headers: { X: "y" },
            body: { a: 1 },
          },
        },
      ],
      next: "waitForClient",
    })
  })

  it("is mapped from the client's report, and refuses other reports", () => {
    const received = httpRequestBlock.receive?.(block, '{"statusCode":200,"data":"x"}', context)
    expect(received?.next?.call).toMatchObject({
      kind: "script",
      scripts: [{ globals: { statusCode: 200, data: "x" } }],
    })
    expect(() => httpRequestBlock.receive?.(block, "oops", context)).toThrow("must be JSON")
  })
})

it("20.5 omits headers for clients that an object cannot have", () => {
  const headers = [{ key: "__proto__", value: "y" }]
  const block = blockOf({ isExecutedOnClient: true, webhook: { url: "https://a.test", headers } })
  const { act } = httpRequestBlock.run(block, testScene())
  expect(JSON.stringify(act)).not.toContain("headers")
})

it("20.1 serves Zapier, Make.com and Pabbly, which are never made by the client", () => {
  const options = { isExecutedOnClient: true, webhook: { url: "https://a.test" } }
  const steps = [
    zapierBlock.run({ id: "b", type: "Zapier", options }, testScene()),
    makeComBlock.run({ id: "b", type: "Make.com", options }, testScene()),
    pabblyBlock.run({ id: "b", type: "Pabbly", options }, testScene()),
  ]
  expect(steps.map((step) => callOf(step)?.kind)).toEqual(["http", "http", "http"])
})
