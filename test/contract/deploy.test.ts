/** What deployments are made of fits the product: its settings, its files, its times. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { readConfig, unknownVariables } from "../../src/app/config.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = `${root}/scripts/deploy`
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
const names = readdirSync(folder)
const { stopTimeoutMs, turnTimeoutMs, maxUploadMegabytes } = readConfig({})

test.each(names)("%s names only settings that there are", (name) => {
  const variables = read(name).match(/\bPARLEY_\w+/g) ?? []
  expect(unknownVariables(Object.fromEntries(variables.map((each) => [each, "x"])))).toEqual([])
})

test("the page lists every file", () => {
  for (const name of names.filter((each) => !/README|ignore/.test(each))) {
    expect(read("README.md")).toContain(`\`${name}\``)
  }
})

describe("the image", () => {
  const dockerfile = read("Dockerfile")

  test("has what it copies, and all that the bundle looks for", () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
    for (const source of sources.flatMap(([, list = ""]) => list.split(" "))) {
      expect(existsSync(`${root}/${source}`), source).toBe(true)
      expect(read("Dockerfile.dockerignore")).toContain(`!${source}\n`)
    }
    expect(dockerfile).toContain("COPY --from=build /parley/dist/service-package ./\n")
  })

  test("runs Node itself, as an ordinary user, and says whether it is well", () => {
    expect(dockerfile).toContain('CMD ["node", "dist/server.js"]')
    expect(dockerfile.indexOf("USER node")).toBeLessThan(dockerfile.indexOf("\nCMD"))
    expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]*\/readyz/)
  })
})

test("supervisors wait longer than a stop takes", () => {
  const grace = Number(/grace_period: (\d+)s/.exec(read("compose.yaml"))?.[1])
  const timeout = Number(/TimeoutStopSec=(\d+)/.exec(read("parley.service"))?.[1])
  for (const seconds of [grace, timeout]) expect(seconds * 1_000).toBeGreaterThan(stopTimeoutMs)
})

test("the containers start for any domain, that of one's own machine included", () => {
  const given: Record<string, string> = {
    DOMAIN: "localhost",
    PARLEY_SECRET: "s".repeat(32),
    POSTGRES_PASSWORD: "password",
  }
  const lines = read("compose.yaml").matchAll(/^ {6}((?:PARLEY|DATABASE)_\w+): "?(.*?)"?$/gm)
  const variables = [...lines].map(([, name = "", value = ""]) => [
    name,
    value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, each: string) => given[each] ?? ""),
  ])
  const config = readConfig(Object.fromEntries(variables))
  expect(config).toMatchObject({ publicUrl: "https://localhost", trustedProxies: 1 })
})

describe("the unit", () => {
  const unit = read("parley.service").replaceAll(/^#.*\n/gm, "")

  // What `systemd-analyze security --offline=true` asks for: it says 1.6, and 7.9 without these.
  test.each([
    ["UMask", "0077"],
    ["CapabilityBoundingSet", ""],
    ["NoNewPrivileges", "yes"],
    ["ProtectSystem", "strict"],
    ["PrivateDevices", "yes"],
    ["RestrictAddressFamilies", "AF_UNIX AF_INET AF_INET6 AF_NETLINK"],
    ["RestrictNamespaces", "yes"],
    ["SystemCallArchitectures", "native"],
    ["SystemCallFilter", "@system-service"],
    ["SystemCallFilter", "~@privileged"],
    ["StateDirectoryMode", "0700"],
  ])("is closed: %s=%s", (name, value) => {
    expect(unit).toContain(`\n${name}=${value}\n`)
  })

  test("leaves PostgreSQL its shared memory, and Node the code that it compiles", () => {
    expect(unit).not.toMatch(/RemoveIPC|MemoryDenyWriteExecute|PrivateIPC|ProcSubset/)
  })

  test("is started again for as long as its database is away", () => {
    const [own] = unit.split("[Service]")
    expect(own).toContain("\nStartLimitIntervalSec=0\n")
    expect(unit).toContain("\nRestart=always\n")
  })

  test("has the socket of the database where commands outside of the unit find it", () => {
    const folder = /^Environment=.*\bTMPDIR=\/run\/(\S+)$/m.exec(unit)?.[1]
    expect(unit).toContain(`\nRuntimeDirectory=${folder}\n`)
  })
})

test.each([
  ["Caddyfile", /response_header_timeout (\d+)s/, /flush_interval -1/],
  ["nginx.conf", /proxy_read_timeout (\d+)s/, /proxy_buffering off/],
])("%s streams, and waits longer than a turn takes", (name, wait, streaming) => {
  expect(Number(wait.exec(read(name))?.[1]) * 1_000).toBeGreaterThan(turnTimeoutMs)
  expect(read(name)).toMatch(streaming)
})

test("nginx lets uploads through and passes web sockets on", () => {
  const largest = Number(/client_max_body_size (\d+)m/.exec(read("nginx.conf"))?.[1])
  expect(largest).toBeGreaterThan(maxUploadMegabytes)
  expect(read("nginx.conf")).toContain("proxy_set_header Upgrade $http_upgrade")
})
