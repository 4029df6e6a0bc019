/** Tests that no bot lends its author the session of the person who opens its chat, on no page. */
import type { BrowserContext, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say, set, show } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { patiently } from "../support/patience.ts"
import { publishBot } from "../support/publish.ts"
import { whenOver } from "../support/whenOver.ts"
import { conversationOf, openViewer, says, type } from "./browser.ts"
import { leadToModel } from "./modelStep.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a person who is signed in and opens a stranger's bot", async () => {
  if (!viewer) return
  const url = await testDatabaseUrl()
  const server = await pageServer({ DATABASE_URL: url })
  const db = await openDatabase({ url, poolSize: 1 })
  whenOver(() => db.close())
  const userId = (await findUserByEmail(db, "ann@example.com"))?.id ?? ""
  const site = await startPeer()
  // Cookies know no ports: another site needs another host.
  const siteUrl = site.url.replace("127.0.0.1", "localhost")
  site.answers((response, { path }) => {
    response.setHeader("content-type", path === "/" ? "text/html" : "application/json")
    // A cookie that is sent from everywhere.
    if (path === "/set") response.setHeader("set-cookie", "everywhere=1; SameSite=None; Secure")
    response.end(path === "/" ? sitePage : "{}")
  })
  let sitePage = ""

  /** A page of a person who is signed in to the service and, by a cookie of its own, to the site. */
  async function openSignedIn(): Promise<Page> {
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await page.goto(await newSignInLink(db, { userId, serviceUrl: server.address }))
    await page.click("button")
    await page.waitForURL(`${server.address}/console`)
    const names = (await page.context().cookies()).map(({ name }) => name)
    expect(names).toContain("parley_session")
    const kept = { name: "site", value: "1", url: siteUrl, sameSite: "Lax" } as const
    await page.context().addCookies([kept])
    return page
  }

  /** What the requests of a context have carried so far: whether a cookie, by the name of the first that fits. */
  function carried<Name extends string>(context: BrowserContext, kinds: Record<Name, RegExp>) {
    const sent: Promise<[string, string]>[] = []
    context.on("request", (request) => {
      const called = `${request.method()} ${request.url()}`
      for (const [name, words] of Object.entries<RegExp>(kinds)) {
        if (!words.test(called)) continue
        const headers = request.allHeaders()
        sent.push(headers.then(({ cookie }) => [name, cookie ? "a cookie" : "no cookie"]))
      }
    })
    return async () => Object.fromEntries(await Promise.all(sent))
  }

  /** A bot that calls an address from the browser, loads its font from one, and shows the answer. */
  const calling = (address: string, method = "GET") => {
    const request = { url: address, method, ...(method === "POST" && { body: "{}" }) }
    const saved = { id: "m", bodyPath: "statusCode", variableId: idOf("Status") }
    const call = block("Webhook", {
      isExecutedOnClient: true,
      webhook: {
        ...request,
        headers: [{ id: "h", key: "content-type", value: "application/json" }],
      },
      isCustomBody: true,
      responseVariableMapping: [saved],
    })
    const font = { type: "Custom", family: "Own", url: `${address}?font` }
    return bot(
      { settings: { ...swift, general: { language: "de" } }, theme: { general: { font } } },
      group("A", call, say("Status {{Status}}"), ask.text(), say("The end")),
    )
  }

  test("sends no cookie with any fetch on the service's own origin", async () => {
    const page = await openSignedIn()
    const address = `${server.address}/api/v1/users/me/api-tokens`
    const read = carried(page.context(), {
      "requests of the author's": /GET .*api-tokens$/,
      "fonts of the author's": /GET .*font$/,
      texts: /GET .*texts/,
      turns: /POST .*startChat$/,
      events: /GET .*events$/,
      "answers of models": /POST .*streamMessage$/,
    })
    const { publicId } = await publishBot(server, calling(address))
    const heard = page.waitForRequest("**/events")
    const streamed = page.waitForRequest("**/streamMessage")
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Status 401")
    await heard
    await leadToModel(page)
    await type(page, "Go on")
    await streamed
    expect(await read()).toEqual({
      "requests of the author's": "no cookie",
      "fonts of the author's": "no cookie",
      texts: "no cookie",
      turns: "no cookie",
      events: "no cookie",
      "answers of models": "no cookie",
    })
  })

  test("sends no cookie with a request that changes something", async () => {
    const page = await openSignedIn()
    const read = carried(page.context(), { POST: /POST .*api-tokens$/ })
    const address = `${server.address}/api/v1/users/me/api-tokens`
    const { publicId } = await publishBot(server, calling(address, "POST"))
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Status 401")
    expect(await read()).toEqual({ POST: "no cookie" })
  })

  test.each(["", "trusted"])("sends no cookie of the site on which it talks: %s", async (how) => {
    const page = await openSignedIn()
    const { publicId } = await publishBot(server, calling(`${siteUrl}/account`))
    const asked = page.waitForRequest("**/account?font")
    sitePage = embedded(`<parley-chat ${how} bot="${publicId}">`)
    site.received.length = 0
    await page.goto(siteUrl)
    await says(page, "Status 200")
    await asked
    const cookies = site.received.map(({ path, headers }) => [path, headers.cookie !== undefined])
    expect(Object.fromEntries(cookies)).toMatchObject({
      "/": true,
      "/account": false,
      "/account?font": false,
    })
  })

  test("sends no cookie with what scripts of its author's ask for", async () => {
    const page = await openSignedIn()
    await page.goto(`${siteUrl}/set`)
    const code = `const options = { credentials: "include", mode: "no-cors" }
      await globalThis.fetch("${siteUrl}/scripted", options)
      return "done"`
    const flow = bot(
      { settings: swift },
      group("A", set("Done", code, { isExecutedOnClient: true }), say("Now {{Done}}")),
    )
    const { publicId } = await publishBot(server, flow)
    site.received.length = 0
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Now done")
    // The same request from the page around it has one.
    await page.evaluate(`fetch("${siteUrl}/shown", { credentials: "include", mode: "no-cors" })`)
    const cookies = site.received.map(({ path, headers }) => [path, headers.cookie])
    expect(Object.fromEntries(cookies)).toEqual({
      "/scripted": undefined,
      "/shown": expect.stringContaining("everywhere=1"),
    })
  })

  test("shows pages of its own origin, and of the site around it, without cookies", async () => {
    const page = await openSignedIn()
    const showing = async (address: string) => {
      const flow = bot(
        { settings: swift },
        group("A", show("embed", { url: address }), say("Seen")),
      )
      return (await publishBot(server, flow)).publicId
    }
    const own = `${server.address}/api/v1/users/me?framed`
    const read = carried(page.context(), { own: /\?framed$/ })
    const framed = page.waitForResponse(own)
    await page.goto(`${server.address}/chat/${await showing(own)}`)
    await framed
    expect(await read()).toEqual({ own: "no cookie" })
    sitePage = embedded(`<parley-chat bot="${await showing(`${siteUrl}/framed`)}">`)
    site.received.length = 0
    const around = page.waitForResponse("**/framed")
    await page.goto(siteUrl)
    await around
    const cookies = site.received.map(({ path, headers }) => [path, headers.cookie !== undefined])
    expect(Object.fromEntries(cookies)).toMatchObject({ "/": true, "/framed": false })
  })

  test("opens tabs that cannot reach back to the chat", async () => {
    const page = await openSignedIn()
    const lead = block("Redirect", { url: `${siteUrl}/opened`, isNewTab: true })
    const { publicId } = await publishBot(server, bot({ settings: swift }, group("A", lead)))
    const opening = page.context().waitForEvent("page")
    await page.goto(`${server.address}/chat/${publicId}`)
    const opened = await opening
    await opened.waitForURL("**/opened")
    expect(await opened.evaluate("window.opener")).toBeNull()
  })

  /** A person's rows in the database, as text. */
  const belongings = async () => {
    const queries = [
      "select id, name from users",
      "select id from api_tokens",
      "select id from user_sessions",
      "select id from workspaces",
    ]
    const found = await Promise.all(queries.map((text) => db.pool.query(`${text} order by id`)))
    return found.map(({ rows }) => rows)
  }

  function embedded(chat: string): string {
    return `<!doctype html><script src="${server.address}/embed.js"></script>${chat}`
  }

  test("no part of a hostile bot reads or changes anything of theirs", async () => {
    const page = await openSignedIn()
    const evil = await startPeer()
    const { address } = server
    const evilUrl = evil.url.replace("127.0.0.1", "localhost")
    evil.answers((response, { path }) => {
      if (path.startsWith("/to?")) {
        response.writeHead(307, { location: decodeURIComponent(path.slice(4)), ...anyCors }).end()
      } else {
        response.writeHead(200, { "content-type": "text/html" })
        response.end(attacksFromFrame(address))
      }
    })
    const { publicId } = await publishBot(server, hostileFlow(address, evilUrl))
    const before = await belongings()
    const answered: Promise<string | undefined>[] = []
    page.context().on("response", (response) => {
      const sent = response.request()
      const { origin, pathname } = new URL(sent.url())
      if (origin !== address) return
      const named = `${response.status()} ${sent.method()} ${pathname}`
      answered.push(sent.allHeaders().then(({ cookie }) => (cookie ? named : undefined)))
    })
    await page.goto(`${address}/chat/${publicId}`)
    await says(page, "All done")
    // Pictures, frames and forms carry cookies, and are refused.
    const withCookie = (await Promise.all(answered)).filter((each) => each !== undefined)
    const reached = withCookie.filter((each) =>
      /^[23]\d\d .*(?:\/api\/(?!.*(?:Chat|chat))|sign)/.test(each),
    )
    expect(reached.filter((each) => !each.endsWith("GET /signIn"))).toEqual([])
    const refused = withCookie.filter((each) => each.startsWith("401"))
    expect(refused).not.toEqual([])
    // What its author's servers get carries no cookie of the service.
    const lent = evil.received.filter(({ headers }) => headers.cookie?.includes("parley_session"))
    expect(lent).toEqual([])
    expect(await belongings()).toEqual(before)
    await page.goto(`${server.address}/signIn?next=/docs`)
    expect(await page.textContent("main")).toContain("signed in as ann@example.com")
    await page.click("button")
    await page.waitForURL(`${server.address}/signIn`)
    expect((await belongings())[2]).toHaveLength(Number(before[2]?.length) - 1)
  })

  test("a redirect leads nowhere that a session counts", async () => {
    const page = await openSignedIn()
    const { botId, publicId } = await publishBot(server, bot(group("A", say("Hi"))))
    const target = `${server.address}/api/v1/bots/${botId}/results/export`
    const lead = block("Redirect", { url: target })
    const leading = await publishBot(server, bot({ settings: swift }, group("A", lead)))
    const answer = page.waitForResponse(target)
    await page.goto(`${server.address}/chat/${leading.publicId}`)
    expect((await answer).status()).toBe(401)
    expect(publicId).not.toBe(leading.publicId)
  })

  test("trusted code finds the secret of the session nowhere", async () => {
    const trusting = await pageServer({ DATABASE_URL: url, PARLEY_AUTHOR_CODE: "trusted" })
    const look = `
      const own = location.origin
      const answer = await fetch(own + "/api/v1/users/me", { credentials: "include" })
      const read = await (await fetch(own + "/console", { headers: { accept: "text/html" } })).text()
      const frame = document.createElement("iframe")
      frame.src = "/console"
      const loaded = new Promise((resolve) => { frame.onload = resolve })
      document.body.append(frame)
      await loaded
      let framed = ""
      try { framed = frame.contentDocument?.documentElement.outerHTML ?? "" } catch {}
      window.opened = window.open("/console")
      const worker = await navigator.serviceWorker.register("/embed.js").then(() => "registered", () => "refused")
      const has = (text) => /parley.session/.test(text)
      return [answer.status, has(read), has(framed), worker, has(document.cookie)].join("|")`
    const flow = bot(
      { settings: swift },
      group("A", set("Found", look, { isExecutedOnClient: true }), say("Found {{Found}}")),
    )
    const { publicId } = await publishBot(server, flow)
    const page = await openSignedIn()
    await page.goto(`${trusting.address}/chat/${publicId}`)
    await says(page, "Found ")
    expect(await conversationOf(page)).toEqual(["Found 401|false|false|refused|false"])
    await expect.poll(() => page.context().pages().length, patiently).toBe(2)
    // The opener policy cuts the window off from the page that has opened it.
    await expect
      .poll(() => page.evaluate("!window.opened || window.opened.closed"), patiently)
      .toBe(true)
  })
})

/** A bot that attacks a service in all ways that blocks have. */
function hostileFlow(address: string, evilUrl: string) {
  const me = `${address}/api/v1/users/me`
  const request = (url: string, method: string) =>
    block("Webhook", {
      isExecutedOnClient: true,
      webhook: { url, method, headers: [{ id: "h", key: "x-parley-session", value: "1" }] },
    })
  const run = (content: string) => block("Code", { content, isExecutedOnClient: true })
  const waitForEvent = { isEnabled: true, name: "done" }
  return bot(
    {
      settings: swift,
      theme: { chat: { hostAvatar: { isEnabled: true, url: `${me}?avatar` } } },
    },
    group(
      "A",
      show("image", { url: me }),
      show("audio", { url: me }),
      show("video", { url: me, type: "url" }),
      show("embed", { url: me, height: 100 }),
      show("embed", { url: `${address}/`, height: 100 }),
      show("embed", { url: `${address}/console`, height: 100 }),
      show("embed", { url: `${address}/signIn`, height: 100 }),
      ...["GET", "PATCH", "DELETE"].map((method) => request(me, method)),
      request(`${address}/signOut`, "POST"),
      request(`${evilUrl}/to?${encodeURIComponent(me)}`, "GET"),
      run(attacksFromScript(address)),
      show("embed", { url: evilUrl, waitForEvent, height: 100 }),
      say("All done"),
    ),
  )
}

const anyCors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }

/** Attempts of an author's script, in the frame for code. */
const attacksFromScript = (address: string) => `
  const me = "${address}/api/v1/users/me"
  const options = { credentials: "include" }
  await Promise.all([
    globalThis.fetch(me, options).catch(() => {}),
    globalThis.fetch(me, { ...options, mode: "no-cors" }).catch(() => {}),
    globalThis.fetch("${address}/signOut", { ...options, method: "POST", mode: "no-cors", body: "a=b" }).catch(() => {}),
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.withCredentials = true
      request.onloadend = resolve
      request.open("GET", me)
      request.send()
    }),
    new Promise((resolve) => {
      const source = new EventSource("${address}/api/v1/bots/any/changes", { withCredentials: true })
      source.onerror = () => { source.close(); resolve() }
    }),
    new Promise((resolve) => {
      try {
        const socket = new WebSocket("${address.replace("http", "ws")}/parties/main/any/webhooks")
        socket.onerror = socket.onopen = resolve
      } catch { resolve() }
    }),
  ])
  try { importScripts(me) } catch {}
`

/** Attempts of an author's page in a frame of the chat, except leaving it. */
const attacksFromFrame = (address: string) => `<!doctype html>
  <iframe name="sink"></iframe>
  <form id="out" method="post" target="sink" action="${address}/signOut"></form>
  <form id="in" method="post" target="sink" action="${address}/signIn/link"><input name="code" value="any"></form>
  <form id="top" method="post" target="_top" action="${address}/signOut"></form>
  <img src="${address}/signIn/openId">
  <script>
    const me = "${address}/api/v1/users/me"
    navigator.sendBeacon("${address}/signOut", "a=b")
    for (const id of ["out", "in"]) document.getElementById(id).submit()
    try { document.getElementById("top").submit() } catch {}
    const tries = [
      fetch(me, { credentials: "include" }),
      fetch(me, { credentials: "include", mode: "no-cors" }),
      fetch("${address}/signOut", { credentials: "include", mode: "no-cors", method: "POST", body: "a=b" }),
      fetch("${address}/", { credentials: "include", mode: "no-cors" }),
    ]
    Promise.allSettled(tries).then(() => parent.postMessage({ name: "done" }, "*"))
  </script>`
