/** Tests of users, tokens and results over REST: paths, queries, statuses, headers. */
import { expect, test } from "vitest"
import { demoPublicId } from "../../src/app/demo.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const { send } = server
const { body: listed } = await send("GET", "/api/v1/workspaces")
const [workspace] = listed.workspaces as { id: string }[]
const { body: bots } = await send("GET", `/api/v1/bots?workspaceId=${workspace?.id}`)
const botId = (bots.bots as { id: string; name: string }[]).find(({ name }) => name === "Demo")?.id
const results = `/api/v1/bots/${botId}/results`

test("a token is made, used and revoked", async () => {
  const { body } = await send("POST", "/api/v1/users/me/api-tokens", { body: { name: "REST" } })
  const made = body.apiToken as { id: string; token: string }
  const { token } = made
  expect(await send("GET", "/api/v1/users/me", { token })).toMatchObject({
    status: 200,
    body: { email: "ann@example.com" },
  })
  expect(await send("DELETE", `/api/v1/users/me/api-tokens/${made.id}`)).toMatchObject({
    status: 200,
    body: { apiToken: { id: made.id, hint: token.slice(-4) } },
  })
  const refused = await send("GET", "/api/v1/users/me", { token })
  expect(refused.status).toBe(401)
  expect(refused.headers.get("www-authenticate")).toBe("Bearer")
})

test("a token lasts at most into the year 9999", async () => {
  const until = (expiresAt: string) =>
    send("POST", "/api/v1/users/me/api-tokens", { body: { name: "Last", expiresAt } })
  const last = "9999-12-31T23:59:59.999Z"
  expect((await until(last)).body.apiToken).toMatchObject({ expiresAt: last })
  expect(await until("9999-12-31T23:59:59-01:00")).toMatchObject({
    status: 400,
    body: { message: "`expiresAt` must be in the years 0000 to 9999 in UTC (body)" },
  })
})

test("only a bearer token in the header authenticates", async () => {
  const { token } = server
  for (const authorization of [
    token,
    `Basic ${token}`,
    `Bearer${token}`,
    `Bearer ${token} x`,
    "",
  ]) {
    const reply = await send("GET", "/api/v1/users/me", { token: null, headers: { authorization } })
    expect(reply.status).toBe(401)
  }
  const query = await send("GET", `/api/v1/users/me?token=${token}`, { token: null })
  expect(query.status).toBe(401)
  const headers = { authorization: `bEaReR   ${token}` }
  expect((await send("GET", "/api/v1/users/me", { token: null, headers })).status).toBe(200)
})

test("a chat is found among the results, page by page, until it is deleted", async () => {
  const ids = [await chat(), await chat()]
  const first = await send("GET", `${results}?limit=1&timeFilter=today&timeZone=Europe/Berlin`)
  expect(first.body).toMatchObject({ results: [{ id: ids[1] }] })
  const second = await send("GET", `${results}?limit=1&cursor=${first.body.nextCursor}`)
  expect((second.body.results as { id: string }[]).map(({ id }) => id)).toEqual([ids[0]])
  expect(second.body).not.toHaveProperty("nextCursor")
  const one = await send("GET", `${results}/${ids[0]}`)
  expect(one.body.result).toMatchObject({
    id: ids[0],
    isCompleted: true,
    answers: [{ content: "I am just looking" }],
    variables: [{ name: "Topic", value: "I am just looking" }],
  })
  expect((await send("GET", `${results}/${ids[0]}/logs`)).body).toEqual({ logs: [] })
  const gone = await send("DELETE", `${results}?resultIds=${ids.join(",")}`)
  expect(gone).toMatchObject({ status: 200, body: { message: "success" } })
  expect((await send("GET", results)).body).toEqual({ results: [] })
})

test("wrong queries are refused with their member", async () => {
  for (const [query, member] of [
    ["limit=501", "limit"],
    ["limit=many", "limit"],
    ["cursor=50", "cursor"],
    ["timeFilter=ever", "timeFilter"],
    ["timeZone=Mars/Olympus", "timeZone"],
  ]) {
    const { status, body } = await send("GET", `${results}?${query}`)
    expect({ status, issues: body.issues }).toMatchObject({
      status: 400,
      issues: [{ path: [member] }],
    })
  }
})

/** Talks to the demo until it ends and returns the id of the result. */
async function chat(): Promise<unknown> {
  const { body } = await send("POST", `/api/v1/bots/${demoPublicId}/startChat`)
  await send("POST", `/api/v1/sessions/${body.sessionId}/continueChat`, {
    body: { message: "I am just looking" },
  })
  return body.resultId
}
