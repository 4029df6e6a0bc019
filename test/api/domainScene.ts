/** Domains of bots and their DNS: three published bots of two workspaces, on two processes of one service. */
import { request } from "node:http"
import { connect } from "node:net"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { sendTo, testServer } from "../support/server.ts"
import { openZone } from "../support/zone.ts"

const url = await testDatabaseUrl()
export const { zone, address: nameServer, silence, asked } = await openZone()
const variables = {
  DATABASE_URL: url,
  PARLEY_DNS_SERVERS: nameServer,
  PARLEY_PUBLIC_URL: "https://bots.example.com",
  PARLEY_ALLOWED_ORIGINS: "https://builder.example.com",
  PARLEY_RATE_LIMITS: "off",
}
export const server = await testServer(variables)
export const beside = await testServer(variables)
export const database = await openDatabase({ url, poolSize: 2 })
const { port } = new URL(server.address)

const flow = bot(group("A", ask.text({ id: "name", saves: "Name" })))
export const eve = await createAccount(database, { email: "eve@example.com" })
export const asEve = sendTo(server.address, eve.token)
export const own = await publishBot(server, flow)
export const other = await publishBot(server, flow)
export const theirs = await publishBot({ send: asEve }, flow)
export const domain = "chat.shop.example"

type Send = typeof server.send
export const setDomain = (customDomain: string | null, { botId } = own, send: Send = server.send) =>
  send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { customDomain } } })
export const check = async ({ botId } = own, send: Send = server.send) =>
  (await send("POST", `/api/v1/bots/${botId}/customDomain/check`)).body
export type Checked = {
  isProven: boolean
  records: { type: string; name: string; value: string; isFound: boolean; found: string[] }[]
}
/** Enters the TXT record that a check asks for. */
export async function enterProof(place = own, send: Send = server.send): Promise<string> {
  const { records } = (await check(place, send)) as unknown as Checked
  const { name, value } = records.find(({ type }) => type === "TXT") ?? { name: "", value: "" }
  const key = `TXT ${name}`
  zone.set(key, [...(zone.get(key) ?? []), value])
  return value
}
export const prove = async (place = own, send: Send = server.send) => {
  await enterProof(place, send)
  return (await check(place, send)).isProven
}

type Asked = {
  host?: string
  method?: string
  body?: unknown
  headers?: Record<string, string>
  at?: string
}

/** Sends a request for a host, with a token and a cookie, which must not count at domains of bots. */
export async function visit(
  path: string,
  { host = domain, method = "GET", body, headers, at = server.address }: Asked = {},
) {
  return await new Promise<{ status: number; text: string; cookies: string[] | undefined }>(
    (resolve, reject) => {
      const sent = request(at + path, {
        method,
        path,
        headers: {
          host,
          accept: "text/html,*/*",
          authorization: `Bearer ${server.token}`,
          cookie: "parley_session=x",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
      })
      sent.on("response", (response) => {
        let text = ""
        response.on("data", (part) => {
          text += part
        })
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            cookies: response.headers["set-cookie"],
          }),
        )
      })
      sent.on("error", reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    },
  )
}

/** Sends a request as it is written, and returns the first line of the answer and its body. */
export async function write(lines: string[], connection = "close"): Promise<string> {
  const socket = connect(Number(port), "127.0.0.1")
  socket.write(`${lines.join("\r\n")}\r\nConnection: ${connection}\r\n\r\n`)
  let text = ""
  for await (const part of socket) text += part
  return text
}
