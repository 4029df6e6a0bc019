/** A service at an address that it knows itself. */
import { createServer } from "node:net"
import { type TestServer, testServer } from "../support/server.ts"

/** Settings of bots that do not seem to type, so that nobody waits for what is no question of a test. */
export const swift = { typingEmulation: { enabled: false } }

/** Starts the service; call it at the top level of a test file. */
export async function pageServer(variables: Record<string, string> = {}): Promise<TestServer> {
  const port = await freePort()
  return await testServer({
    PORT: String(port),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    ...variables,
  })
}

/** Uploads are signed for the public address, so that the port must be known before. */
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
