/** Reads with one token at 16 at a time; in the checkout where it lies. */
import { Agent, request } from "node:http"
import { openStack } from "./drills/stack.ts"
import { token } from "./drills/product.ts"
const stack = await openStack({ variables: { PARLEY_RATE_LIMITS: "off" } })
const { address } = stack.process()
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const call = (method: string, path: string, body?: unknown) => new Promise<any>((resolve, reject) => {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const r = request(address + "/api/v1" + path, { method, agent, headers: { authorization: `Bearer ${token}`, ...(text && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }) } }, (res) => {
    let t = ""; res.setEncoding("utf8"); res.on("data", (c) => (t += c)); res.on("end", () => resolve({ status: res.statusCode, body: JSON.parse(t || "{}") }))
  }); r.on("error", reject); r.end(text)
})
const { body: w } = await call("POST", "/workspaces", { name: "w" })
const ws = w.workspace.id
for (let i = 0; i < 60; i++) await call("POST", "/bots", { workspaceId: ws, bot: { name: `b${i}` } })
const { body: list } = await call("GET", `/bots?workspaceId=${ws}`)
const id = list.bots[0].id
for (const [name, path] of [["list", `/bots?workspaceId=${ws}`], ["bot", `/bots/${id}`], ["workspaces", "/workspaces"]]) {
  for (const at of [1, 16]) {
    let n = 0; const until = performance.now() + 3000; const t = performance.now()
    await Promise.all(Array.from({ length: at }, async () => { while (performance.now() < until) { const r = await call("GET", path!); if (r.status !== 200) throw new Error(r.status + JSON.stringify(r.body)); n++ } }))
    console.log(name, at, Math.round(n / ((performance.now() - t) / 1000)), "/s")
  }
}
await stack.close(); process.exit(0)
