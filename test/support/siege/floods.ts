/** Makes many requests at once, and writes heads of requests by hand. */
import { anyIp, type Spoken } from "./ask.ts"

export function atOnce<T>(count: number, make: (nth: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, nth) => make(nth)))
}

/** Closes connections that were left open. */
export function closeAll(spoken: readonly Spoken[]): void {
  for (const { socket } of spoken) socket.destroy()
}

/** The head of a request with a JSON body. */
export function headOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const lines = Object.entries({
    Host: "parley.test",
    "X-Forwarded-For": anyIp(),
    "Content-Type": "application/json",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`
}
