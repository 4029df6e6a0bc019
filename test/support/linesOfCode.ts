/** Counts code, for the rules on how much of it there may be. */

/** Lines without comments and empty ones. */
export function linesOfCode(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(\/\/.*|\/?\*.*)?$/.test(line)).length
}
