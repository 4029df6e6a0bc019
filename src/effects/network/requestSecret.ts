/** A secret that goes into a header or the query of a request, in place of what the flow has there. */
import { Headers } from "undici"

export type RequestSecret = { in: "header" | "query"; name: string; value: string }

export function withSecret(
  { url, headers }: { url: URL; headers: Headers },
  secret: RequestSecret | undefined,
): { url: URL; headers: Headers } {
  if (!secret) return { url, headers }
  const { name, value } = secret
  if (secret.in === "header") {
    const all = new Headers(headers)
    all.set(name, value)
    return { url, headers: all }
  }
  const address = new URL(url)
  // As text: parsing and printing would change how the other parameters are encoded.
  const others = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && nameOf(pair) !== name)
  address.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join("&")
  return { url: address, headers }
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? ""
}
