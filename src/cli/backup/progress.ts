/** Reports how far a backup or its restoration has come. */
import { tell } from "../command.ts"
import type { BackupItem } from "./format.ts"

const megabyte = 1024 * 1024
const usualStep = 256 * megabyte

/**
 * Counts the rows of each table, and the files. Reports each count when it is complete, and within a
 * table, or the files, after every `stepBytes`.
 */
export function openProgress(
  verb: string,
  { say = tell as (line: string) => void, stepBytes = usualStep } = {},
) {
  let name = ""
  let number = 0
  let bytes = 0
  let reportAt = stepBytes
  let lastFile: string | undefined
  const finish = () => {
    if (number > 0) say(`${verb} ${name}: ${number}`)
    number = 0
    bytes = 0
    reportAt = stepBytes
  }
  const begin = (next: string) => {
    if (next === name) return
    finish()
    name = next
  }
  const add = (more: number) => {
    bytes += more
    if (bytes < reportAt) return
    reportAt = bytes - (bytes % stepBytes) + stepBytes
    say(`${verb} ${name}: ${number} so far, ${Math.floor(bytes / megabyte)} MB`)
  }
  const count = <Item extends BackupItem>(item: Item): Item => {
    if ("table" in item) begin(item.table)
    else if ("rows" in item) {
      number += item.rows.length
      add(lengthOf(item.rows))
    } else {
      begin("files")
      if (item.file !== lastFile) number += 1
      lastFile = item.file
      // Of base64.
      add((item.bytes.length * 3) / 4)
    }
    return item
  }
  return Object.assign(count, { finish })
}

function lengthOf(rows: readonly (string | null)[][]): number {
  let length = 0
  for (const row of rows) for (const value of row) length += value?.length ?? 0
  return length
}
