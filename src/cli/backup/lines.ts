/** Unpacks the lines of a backup within bounds, because the file may come from anywhere. */
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"
import { notUtf8, readUtf8 } from "../../lib/utf8.ts"

/** How many bytes are unpacked at most; tests lower these. */
type Limits = {
  /** In one line: former versions wrote 200 rows, however large, into one. */
  lineBytes: number
  /** In the whole file, however small it is. */
  anyBytes: number
  /** Beyond that, per byte of the file. Real data shrinks to a tenth, zeros to a thousandth. */
  perPackedByte: number
}

const usualLimits: Limits = {
  lineBytes: 256 * 1024 * 1024,
  anyBytes: 1024 * 1024 * 1024,
  perPackedByte: 100,
}

const newline = 10

/** Reads the lines. Throws a sentence that names the file if it is broken or exceeds the limits. */
export async function* backupLines(path: string, limits = usualLimits): AsyncGenerator<string> {
  const file = createReadStream(path)
  const unpacked = file.pipe(createGunzip())
  // `pipe` does not pass errors on.
  file.once("error", (error) => unpacked.destroy(error))
  let rest: Buffer[] = []
  let restBytes = 0
  let bytes = 0
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > Math.max(limits.anyBytes, limits.perPackedByte * file.bytesRead)) {
        throw brokenBackup(path, undefined, "It unpacks to far more than real data does")
      }
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end)])
        rest = []
        restBytes = 0
        start = end + 1
        yield readUtf8(line, (position) =>
          brokenBackup(path, undefined, notUtf8("A line of it", position)),
        )
      }
      rest.push(chunk.subarray(start))
      restBytes += chunk.length - start
      if (restBytes > limits.lineBytes) {
        throw brokenBackup(path, undefined, "It has a line that is too long")
      }
    }
  } catch (error) {
    throw explained(path, error)
  } finally {
    file.destroy()
    unpacked.destroy()
  }
  // Every line ends with a newline.
  if (restBytes > 0) throw brokenBackup(path)
}

function explained(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOENT") return new Error(`There is no file ${path}.`, { cause: error })
  if (code === "EISDIR") return new Error(`${path} is a folder: name a backup.`, { cause: error })
  return code.startsWith("Z_") ? brokenBackup(path, error) : error
}

/** The error for a file that is not a complete backup; `reason` is a sentence without its full stop. */
export function brokenBackup(
  path: string,
  cause?: unknown,
  reason = "It was cut off or changed, or is another kind of file",
): Error {
  return new Error(`${path} is not a complete backup. ${reason}. Nothing was restored.`, { cause })
}
