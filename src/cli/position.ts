/** Finds the positions in a JSON text of the values that JSON Pointers name. */
import { pointerOf } from "../authoring/lint/location.ts"
import type { Position } from "../workshop/files/readTestFile.ts"

/**
 * Findings with the positions of the values that their pointers name, or of the nearest value around
 * a missing one. The text must be valid JSON.
 */
export function withPositions<Finding extends { pointer: string }>(
  findings: readonly Finding[],
  text: string,
): (Finding & Position)[] {
  const wanted = new Set(findings.flatMap(({ pointer }) => withParents(pointer)))
  const offsets = offsetsOf(text, wanted)
  const lineStarts = lineStartsIn(text)
  return findings.map((finding) => {
    const nearest = withParents(finding.pointer).find((each) => offsets.has(each)) ?? ""
    return { ...finding, ...positionAt(offsets.get(nearest) ?? 0, lineStarts) }
  })
}

/** The position of the value that a pointer names, or of the nearest value around it. */
export function positionIn(text: string, pointer: string): Position {
  const [{ line, column } = { line: 1, column: 1 }] = withPositions([{ pointer }], text)
  return { line, column }
}

export function offsetPosition(text: string, offset: number): Position {
  return positionAt(offset, lineStartsIn(text))
}

function lineStartsIn(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
}

function withParents(pointer: string): string[] {
  const keys = pointer.split("/")
  return keys.map((_, index) => keys.slice(0, keys.length - index).join("/"))
}

function positionAt(offset: number, lineStarts: readonly number[]): Position {
  let [low, high] = [0, lineStarts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}

type Frame = { pointer: string; isList: boolean; index: number; key: string }

// The many signs of a picture in a text are one step: each of their own would need room of its own.
const token = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

function offsetsOf(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const offsets = new Map<string, number>()
  const frames: Frame[] = []
  let isKey = false
  token.lastIndex = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const word = match[1] ?? ""
    const frame = frames.at(-1)
    if (word === "}" || word === "]") frames.pop()
    else if (word === "," && frame) {
      frame.index++
      isKey = !frame.isList
    } else if (isKey && frame && word.startsWith('"')) {
      frame.key = JSON.parse(word)
      isKey = false
    } else if (word !== ":" && word !== ",") {
      const pointer = frame === undefined ? "" : pointerIn(frame)
      if (wanted.has(pointer)) offsets.set(pointer, token.lastIndex - word.length)
      const opens = word === "{" || word === "["
      if (opens) frames.push({ pointer, isList: word === "[", index: 0, key: "" })
      isKey = word === "{"
    }
  }
  return offsets
}

function pointerIn({ pointer, isList, index, key }: Frame): string {
  return pointer + pointerOf([isList ? index : key])
}
