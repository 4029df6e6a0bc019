/** The JavaScript name of a variable. */

/** Every reserved or contextual word of the grammar (ECMAScript 2025). */
export const keywords: ReadonlySet<string> = new Set(
  (
    "accessor arguments as async await break case catch class const continue debugger default " +
    "delete do else enum eval export extends false finally for from function get if implements " +
    "import in instanceof interface let meta new null of package private protected public return " +
    "set static super switch target this throw true try typeof using var void while with yield"
  ).split(" "),
)

/** Globals of the environments that run code. */
const helpers: ReadonlySet<string> = new Set(
  "Infinity NaN console fetch globalThis setVariable undefined".split(" "),
)

/** The id itself if it is a valid JavaScript name, as in every export; else a name derived from it. */
export function identifierOf(variableId: string): string {
  const isName = /^[A-Za-z_$][\w$]*$/.test(variableId)
  if (isName && !keywords.has(variableId) && !helpers.has(variableId)) return variableId
  return `_$${variableId.replace(/\W/gu, (sign) => `$${sign.codePointAt(0)?.toString(16)}`)}`
}
