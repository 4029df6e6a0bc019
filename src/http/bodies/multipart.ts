/** Finds the file in a form while its bytes arrive, so that no form is ever in memory as a whole. */
import { AppError, badRequest } from "../../lib/errors.ts"

const headEnd = Buffer.from("\r\n\r\n")
const maxHeadCharacters = 8_192

/** The boundary that a `Content-Type` names (RFC 2046, 5.1.1); undefined when it is not a form. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) return undefined
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw unreadable()
  return boundary
}

/**
 * The bytes of the first file with the name `file` in a form (RFC 7578), which is read to its end.
 * Refuses with 400 a body that is not a form, and one without such a file.
 */
export async function* fileOfForm(
  form: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const source = form[Symbol.asyncIterator]()
  const until = createScanner(source)
  let isFound = false
  try {
    await skip(until(delimiter))
    let head = await headOf(until)
    // Two hyphens follow the last delimiter.
    while (!head.startsWith("--")) {
      if (!isFound && isFileHead(head)) {
        isFound = true
        yield* until(delimiter)
      } else {
        await skip(until(delimiter))
      }
      head = await headOf(until)
    }
  } finally {
    await source.return?.()
  }
  if (!isFound) throw badRequest("The form has no file")
}

/** Yields the bytes before a mark as they arrive; the next call begins after the mark. */
type Until = (mark: Buffer, mayEnd?: boolean) => AsyncGenerator<Buffer>

/** Refuses with 400 when the bytes end before the mark, unless they may. */
function createScanner(source: AsyncIterator<Buffer>): Until {
  // As if a line break preceded the first delimiter, as all others.
  let rest = Buffer.from("\r\n")
  return async function* until(mark, mayEnd = false) {
    for (;;) {
      const at = rest.indexOf(mark)
      const isThere = at !== -1
      // The last bytes may be the beginning of the mark.
      const end = isThere ? at : Math.max(0, rest.length - mark.length + 1)
      const before = rest.subarray(0, end)
      rest = rest.subarray(isThere ? at + mark.length : end)
      if (before.length > 0) yield before
      if (isThere) return
      const next = await source.next()
      if (next.done) {
        if (!mayEnd) throw unreadable()
        yield rest
        return
      }
      rest = Buffer.concat([rest, next.value])
    }
  }
}

/** The header lines of the next part, or the rest after the last delimiter. */
async function headOf(until: Until): Promise<string> {
  let head = ""
  for await (const bytes of until(headEnd, true)) {
    head += bytes.toString("latin1")
    if (head.length > maxHeadCharacters) throw unreadable()
  }
  return head
}

function isFileHead(head: string): boolean {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? ""
  return (
    /;\s*name=(?:"file"|file)\s*(?:;|$)/i.test(disposition) && /;\s*filename\*?=/i.test(disposition)
  )
}

async function skip(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}

function unreadable(): AppError {
  return new AppError("PARSE_ERROR", "The form cannot be read")
}
