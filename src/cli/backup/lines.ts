/** The lines of a backup, unpacked within bounds: the file may come from anywhere. */
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"

/** Most bytes that are unpacked; tests make them smaller. */
type Limits = {
  /** Of one line: 200 rows of former versions, which did not divide them. */
  lineBytes: number
  /** Of all, whatever they were packed into. */
  anyBytes: number
  /** Beyond, for each byte of the file. Data of people shrinks to a tenth, zeros to a thousandth. */
  perPackedByte: number
}

const usualLimits: Limits = {
  lineBytes: 256 * 1024 * 1024,
  anyBytes: 1024 * 1024 * 1024,
  perPackedByte: 100,
}

const newline = 10

/** Reads the lines. Throws a sentence that names the file when it is broken or beyond the limits. */
export async function* backupLines(path: string, limits = usualLimits): AsyncGenerator<string> {
  const file = createReadStream(path)
  const unpacked = file.pipe(createGunzip())
  // A pipe does not pass on errors.
  file.once("error", (error) => unpacked.destroy(error))
  let rest: Buffer[] = []
  let restBytes = 0
  let bytes = 0
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > Math.max(limits.anyBytes, limits.perPackedByte * file.bytesRead)) {
        throw brokenBackup(path, undefined, "It unpacks to far more than data does")
      }
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString()
        rest = []
        restBytes = 0
        start = end + 1
        yield line
      }
      rest.push(chunk.subarray(start))
      restBytes += chunk.length - start
      if (restBytes > limits.lineBytes)
        throw brokenBackup(path, undefined, "It has a line that is too long")
    }
  } catch (error) {
    throw explained(path, error)
  } finally {
    file.destroy()
    unpacked.destroy()
  }
  // Every line has its end.
  if (restBytes > 0) throw brokenBackup(path)
}

function explained(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOENT") return new Error(`There is no file ${path}.`, { cause: error })
  return code.startsWith("Z_") ? brokenBackup(path, error) : error
}

/** What is wrong with a file that cannot be read to its end; the reason is a sentence without its end. */
export function brokenBackup(
  path: string,
  cause?: unknown,
  reason = "It was cut off or changed, or is another kind of file",
): Error {
  return new Error(`${path} is no complete backup. ${reason}. Nothing was restored.`, { cause })
}
