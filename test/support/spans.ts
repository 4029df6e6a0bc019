/** Records the spans of a test as OpenTelemetry would. */
import { type Attributes, type Span, trace } from "@opentelemetry/api"

export type EndedSpan = { name: string; attributes: Attributes }

/** Collects spans as they end, until `trace.disable()`. */
export function recordSpans(): EndedSpan[] {
  const ended: EndedSpan[] = []
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, options) => newSpan(name, { ...options?.attributes }, ended),
      startActiveSpan: () => {
        throw new Error("Not used")
      },
    }),
  })
  return ended
}

function newSpan(name: string, attributes: Attributes, ended: EndedSpan[]): Span {
  const span: Span = {
    spanContext: () => ({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }),
    setAttribute: (key, value) => Object.assign(attributes, { [key]: value }) && span,
    setAttributes: (more) => Object.assign(attributes, more) && span,
    updateName(renamed) {
      name = renamed
      return span
    },
    setStatus: () => span,
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    recordException: () => {},
    isRecording: () => true,
    end: () => ended.push({ name, attributes }),
  }
  return span
}
