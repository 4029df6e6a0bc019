/** GET /chat/{publicId}: what the page says of the bot before anything runs, and when there is none. */
import { request } from "undici"
import { describe, expect, test } from "vitest"
import { bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { many } from "../support/siege/flow.ts"

const server = await testServer()
const trusting = await testServer({ PARLEY_AUTHOR_CODE: "trusted" })

const metadata = {
  title: 'Talk to "us" <b>',
  description: "About {{Topic}} & more",
  imageUrl: "https://media.example/a.png",
  favIconUrl: "javascript:alert(1)",
  customHeadCode:
    '<meta name="owner" content="ann"><meta property="og:url" content=\'https://a.b/?c=1&amp;d="2"\'>' +
    "<script>track()</script>text",
  allowIndexing: false,
}

const flow = (settings: Record<string, unknown> = {}) =>
  bot({ settings: { metadata, ...settings } }, group("A", say("Hi")))

async function get(at: string, publicId: string) {
  const response = await fetch(`${at}/chat/${publicId}`)
  const policy = response.headers.get("content-security-policy") ?? ""
  return { status: response.status, policy, html: await response.text() }
}

describe("the chat page", () => {
  test("has the bot's title, description, picture and owner, each as a text", async () => {
    const { publicId } = await publishBot(server, flow())
    const { status, html } = await get(server.address, publicId)
    expect(status).toBe(200)
    expect(html).toContain("<title>Talk to &quot;us&quot; &lt;b&gt;</title>")
    expect(html).toContain('<meta name="description" content="About  &amp; more">')
    expect(html).toContain('<meta property="og:image" content="https://media.example/a.png">')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toContain('<meta name="owner" content="ann">')
    const address = "https://a.b/?c=1&amp;d=&quot;2&quot;"
    expect(html).toContain(`<meta property="og:url" content="${address}">`)
    expect(html).toContain(`<parley-chat page bot="${publicId}"></parley-chat>`)
    expect(html).not.toMatch(/track|javascript:/)
  })

  test("is described by its title where the author has not described it", async () => {
    const { description, ...others } = metadata
    const { publicId } = await publishBot(server, flow({ metadata: others }))
    const { html } = await get(server.address, publicId)
    expect(html).toContain('<meta name="description" content="Talk to &quot;us&quot; &lt;b&gt;">')
  })

  test("runs no script but the service's own, unless the operator trusts every author", async () => {
    const { publicId } = await publishBot(server, flow())
    const strict = await get(server.address, publicId)
    expect(strict.policy).toContain("default-src 'none'; script-src 'self' https://js.stripe.com;")
    const trusted = await publishBot(trusting, flow())
    const open = await get(trusting.address, trusted.publicId)
    expect(open.html).toContain("<script>track()</script>")
    expect(open.html).toContain(" trusted></parley-chat>")
    expect(open.policy).toContain("'unsafe-inline'")
  })

  test("may be framed by the origins that the bot allows", async () => {
    const allowedOrigins = ["https://Shop.example:443/", "https://x.example; script-src *"]
    const { publicId } = await publishBot(server, flow({ security: { allowedOrigins } }))
    const { policy } = await get(server.address, publicId)
    expect(policy).toMatch(/; frame-ancestors 'self' https:\/\/shop\.example$/)
    const anywhere = await publishBot(server, flow())
    expect((await get(server.address, anywhere.publicId)).policy).toMatch(/; frame-ancestors \*$/)
  })

  test("says so in a frame of any other page, however its address begins", async () => {
    const security = { allowedOrigins: ["https://shop.example"] }
    const { publicId } = await publishBot(server, flow({ security }))
    const framedBy = async (referer: string) => {
      const headers = { referer, "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" }
      return (await request(`${server.address}/chat/${publicId}`, { headers })).statusCode
    }
    expect(await framedBy("https://shop.example/page")).toBe(200)
    for (const foreign of [
      ...["https://shop.example.evil.test/", "https://shop.example@evil.test/"],
      ...["https://shop.example:8443/", "http://shop.example/", "https://evil.test/shop.example"],
      ...["https://xshop.example/", "https://sub.shop.example/"],
    ]) {
      expect([foreign, await framedBy(foreign)]).toEqual([foreign, 403])
    }
  })

  test("is friendly about bots that are closed, and about those that are not there", async () => {
    const general = { systemMessages: { botClosed: "Back <soon>" } }
    const icon = { favIconUrl: "https://media.example/icon.png" }
    const { botId, publicId } = await publishBot(server, flow({ general, metadata: icon }))
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { isClosed: true } } })
    const closed = await get(server.address, publicId)
    expect(closed.status).toBe(403)
    expect(closed.html).toContain("<p>Back &lt;soon&gt;</p>")
    expect(closed.html).toContain('<img src="https://media.example/icon.png" alt="" ')
    for (const unknown of ["gone", "%E0%A4%A", "a%00b", "%3Cscript%3E", "x".repeat(2_000)]) {
      const { status, html } = await get(server.address, unknown)
      expect(status, unknown).toBe(404)
      expect(html).toContain("Chat not found")
      expect(html).toContain('<img src="/embed/icon.svg" alt="" ')
    }
  })

  test("has the icon of its settings, else that of the bot, else ours", async () => {
    const iconOf = async (icon: string | null, metadata = {}) => {
      const { botId, publicId } = await publishBot(server, flow({ metadata }))
      await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { icon } } })
      const { html } = await get(server.address, publicId)
      const [, address, ...others] = html.split('<link rel="icon" href="')
      expect(others).toEqual([])
      return { publicId, address: address?.split('"')[0] }
    }
    const favicon = { favIconUrl: "https://media.example/page.png" }
    expect(await iconOf("🤖", favicon)).toMatchObject({ address: favicon.favIconUrl })
    const picture = "https://media.example/bot.png?a=1&b=<"
    const escaped = "https://media.example/bot.png?a=1&amp;b=%3C"
    expect(await iconOf(picture)).toMatchObject({ address: escaped })
    const emoji = await iconOf("🤖", { favIconUrl: "javascript:alert(1)" })
    expect(emoji.address).toBe(`/chat/${emoji.publicId}/icon`)
    for (const none of [null, "", " ", "\u0001", `e${"\u0301".repeat(100)}`])
      expect(await iconOf(none)).toMatchObject({ address: "/embed/icon.svg" })
  })

  test("is limited to some kilobytes", async () => {
    const sign = (length: number) => "<&".repeat(length / 2)
    const marks = `<meta name="owner" content="${"x".repeat(900)}">`.repeat(100)
    const { publicId } = await publishBot(
      server,
      flow({
        metadata: { title: sign(1_000), description: sign(10_000), customHeadCode: marks },
        security: {
          allowedOrigins: many(50, (n) => `https://shop-${n}.${"x".repeat(200)}.example`),
        },
      }),
    )
    const { status, html, policy } = await get(server.address, publicId)
    expect(status).toBe(200)
    expect(html).toContain("&lt;&amp;".repeat(100))
    expect(html.length).toBeLessThan(40_000)
    expect(policy).toContain("https://shop-9.")
    expect(policy.length).toBeLessThan(5_000)
  })

  test("comes with a script that may be kept for good at its own address", async () => {
    const { publicId } = await publishBot(server, flow())
    const { html } = await get(server.address, publicId)
    const [, path = ""] = /<script src="([^"]*)" async>/.exec(html) ?? []
    const script = await fetch(server.address + path)
    expect(script.headers.get("cache-control")).toContain("immutable")
    expect(script.headers.get("access-control-allow-origin")).toBe("*")
    const etag = script.headers.get("etag") ?? ""
    const plain = await fetch(`${server.address}/embed.js`, { headers: { "if-none-match": etag } })
    expect(plain.status).toBe(304)
    expect(plain.headers.get("cache-control")).not.toContain("immutable")
  })

  test.each([
    ["br, gzip", "br"],
    ["gzip, br;q=0", "gzip"],
    ["br;q=0.1", "br"],
    ["deflate", null],
  ])("comes with scripts that are compressed for %s", async (accepted, coding) => {
    for (const path of ["/embed.js", "/embed/on-demand.js"]) {
      const script = await fetch(server.address + path, {
        headers: { "accept-encoding": accepted },
      })
      expect(script.headers.get("content-encoding"), path).toBe(coding)
      expect(script.headers.get("vary")).toContain("accept-encoding")
      expect(await script.text()).toMatch(/\w/)
    }
  })
})

describe("the icon of a bot", () => {
  const read = async (icon: string | null) => {
    const { botId, publicId } = await publishBot(server, flow())
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { icon } } })
    const address = `${server.address}/chat/${publicId}/icon`
    const response = await fetch(address, { redirect: "manual" })
    const { status, headers } = response
    return { status, headers, text: await response.text() }
  }

  test("is its first sign as a picture of text, which runs nothing", async () => {
    const family = "👩🏽‍👩🏿‍👧🏻‍👦🏾"
    expect((await read(`${family}🤖`)).text).toContain(`>${family}</text>`)
    const hostile = await read("<script>alert(1)</script>")
    expect(hostile.text).toContain(">&lt;</text>")
    expect((await read("javascript:alert(1)")).text).toContain(">j</text>")
    expect(Object.fromEntries(hostile.headers)).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
    })
  })

  test("is at its address", async () => {
    const { status, headers } = await read("https://media.example/a.png")
    expect([status, headers.get("location")]).toEqual([302, "https://media.example/a.png"])
  })

  test("is nothing for a bot without one, and for unknown bots", async () => {
    expect((await read(null)).status).toBe(204)
    for (const unknown of ["gone", "%E0%A4%A", "a%00b"]) {
      const response = await fetch(`${server.address}/chat/${unknown}/icon`)
      expect([unknown, response.status]).toEqual([unknown, 204])
    }
  })
})
