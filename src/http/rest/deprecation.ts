/** The headers of operations that will go: since when they are deprecated (RFC 9745), and until when they work (RFC 8594). */
import type { Deprecation } from "../../routers/trpc.ts"

/** The least time in which callers can change their programs: a year. */
export const minDays = 365

/** Throws for dates that cannot be read or are too close to each other. */
export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  const [from, until] = [Date.parse(since), Date.parse(sunset)]
  if (!(until - from >= minDays * 86_400_000))
    throw new Error(`Deprecated since ${since}, an operation cannot go on ${sunset}`)
  return {
    deprecation: `@${from / 1_000}`,
    sunset: new Date(until).toUTCString(),
    link: '</docs/versions>; rel="deprecation"',
  }
}
