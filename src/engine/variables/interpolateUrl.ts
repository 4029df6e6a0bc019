/** Fills in the variables of an address: visitor input stays one part of it. */
import { interpolateWith, type Scope, type Token } from "./interpolate.ts"

/** The part of an address after a text; `start`: no scheme and no path yet. */
type Place = "start" | "host" | "path" | "query" | "value" | "fragment"

/**
 * The address with its tokens replaced. Visitor input is percent-encoded in values of query parameters and in
 * hosts, and adds no query and no `..` to a path. Results of the author's own code, and a whole address at
 * the beginning, stay unchanged.
 */
export function interpolateUrl(text: string | undefined, scope: Scope): string {
  let place: Place = "start"
  return interpolateWith(text, scope, {
    literal(written) {
      place = placeAfter(place, written)
    },
    value(printed, token) {
      if (place !== "start" && isVisitorInput(token, scope))
        return encoders[place](printed.toWellFormed())
      place = placeAfter(place, printed)
      return printed
    },
  })
}

/** Whether a token is a variable with visitor input. */
export function isVisitorInput(token: Token, { variables }: Scope): boolean {
  return "name" in token && variables.isPlain(variables.named(token.name)?.id)
}

const encoders: Readonly<Record<Exclude<Place, "start">, (value: string) => string>> = {
  host: (value) => encodeURIComponent(value).replaceAll("%3A", ":"),
  path: (value) =>
    value
      .split(/[/\\]/)
      .filter((segment) => !/^(?:\.|%2e){1,2}$/i.test(segment))
      .join("/")
      .replaceAll("?", "%3F")
      .replaceAll("#", "%23"),
  query: (value) => value.replaceAll("#", "%23"),
  // An apostrophe ends the address where it stands in HTML.
  value: (value) => encodeURIComponent(value).replaceAll("'", "%27"),
  fragment: (value) => value,
}

/** The place after another stretch of the address. */
function placeAfter(before: Place, text: string): Place {
  if (before === "fragment" || text.includes("#")) return "fragment"
  if (before === "query" || before === "value") return placeInQuery(before, text)
  const query = text.indexOf("?")
  if (query !== -1) return placeInQuery("query", text.slice(query + 1))
  const scheme = before === "start" ? text.indexOf("://") : -1
  const rest = scheme === -1 ? text : text.slice(scheme + 3)
  if (rest.includes("/")) return "path"
  return scheme === -1 ? before : "host"
}

function placeInQuery(before: Place, text: string): Place {
  const [equals, and] = [text.lastIndexOf("="), text.lastIndexOf("&")]
  if (equals === and) return before
  return equals > and ? "value" : "query"
}
