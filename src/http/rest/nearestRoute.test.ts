/** Tests which path is suggested for one that is unknown, and what that costs. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { nearestRoute } from "./nearestRoute.ts"
import type { Route } from "./routes.ts"

const { paths } = JSON.parse(readFileSync("openapi.json", "utf8")) as { paths: object }
const routes = Object.entries(paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => ({ path, method: method.toUpperCase() }) as Route),
)
const suggested = (method: string, path: string) =>
  nearestRoute(routes, { method, segments: path.slice(1).split("/") })

test.each([
  ["POST", "/api/v1/bots/shop/startchat", "POST /api/v1/bots/{publicId}/startChat"],
  ["POST", "/bots/shop/startChat", "POST /api/v1/bots/{publicId}/startChat"],
  ["POST", "/api/v1/bot/b/publsh", "POST /api/v1/bots/{botId}/publish"],
  ["GET", "/api/v1/bots/b/result", "GET /api/v1/bots/{botId}/results"],
  ["GET", "/wp-login.php", undefined],
])("%s %s suggests %s", (method, path, suggestion) => {
  expect(suggested(method, path)).toBe(suggestion)
})

test.each([
  ["a long word", "x".repeat(190)],
  ["many words", "x/".repeat(95)],
  ["words as long as those of paths", "xxxxxxxxx/".repeat(7)],
])("a path of %s costs little, however often strangers ask for it", (_, path) => {
  const before = process.cpuUsage()
  for (let count = 0; count < 100; count++) suggested("GET", `/api/v1/${path}`)
  const { user } = process.cpuUsage(before)
  expect(user / 1_000).toBeLessThan(250)
})
