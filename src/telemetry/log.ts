/** Opens the log: JSON lines on standard error, without values, headers or tokens. */
import { type DestinationStream, destination, type Logger, pino } from "pino"

/** The logger; `child` adds members to every line. */
export type Log = Logger

/** From silent to verbose, with the names of pino 10. */
export const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const

/**
 * Creates the log. Lines are written synchronously, so that those of a dying process are not lost;
 * `stream` replaces standard error.
 */
export function createLog(level: (typeof logLevels)[number], stream?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    stream ?? standardError(),
  )
}

/** Max buffered bytes while the log cannot be written, as on a full disk; further lines are lost. */
const maxKept = 1_000_000

function standardError(): DestinationStream {
  const stream = destination({ dest: 2, sync: true, maxLength: maxKept })
  // A service must not end because its log cannot be written.
  stream.on("error", () => {})
  // A line that is lost is no attempt to write those before it.
  stream.on("drop", () => stream.write(""))
  return stream
}

/** A log that writes nothing, for tests and generators. */
export function silentLog(): Log {
  return pino({ level: "silent" })
}

type ErrorLine = {
  type: string
  message: string
  stack?: string
  code?: string
  cause?: ErrorLine
}

// Only these members, because drivers attach parameters, rows and request headers to their errors.
function describeError(error: unknown, depth = 0): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: "Something else was thrown" }
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined
  const hasCause = error.cause instanceof Error && depth < 3
  return {
    type: error.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(code !== undefined && { code }),
    ...(hasCause && { cause: describeError(error.cause, depth + 1) }),
  }
}
