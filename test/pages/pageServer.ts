/** Starts a service that knows its own public address. */
import { createServer } from "node:net"
import { type TestServer, testServer } from "../support/server.ts"

/** Settings without simulated typing, so that tests do not wait for it. */
export const swift = { typingEmulation: { enabled: false } }

/** Starts the service; to be called at the top level of a test file. */
export async function pageServer(variables: Record<string, string> = {}): Promise<TestServer> {
  const port = await freePort()
  return await testServer({
    PORT: String(port),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    ...variables,
  })
}

/** Finds a free port: uploads are signed for the public address, so the port must be known in advance. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
