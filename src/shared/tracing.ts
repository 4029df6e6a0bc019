/** Spans for OpenTelemetry, when the process was started with an SDK; without one they cost nothing. */
import {
  type Attributes,
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api"

// What stands in for a provider when none is registered.
const nobody = new ProxyTracerProvider().getDelegate()

/** Whether anybody receives spans. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== nobody
}

/** A stretch of work to trace. */
export type Stretch = {
  name: string
  attributes?: Attributes
  /** Headers of a request that may name the trace that it belongs to (W3C Trace Context). */
  headers?: Readonly<Record<string, unknown>>
}

/** Adds to what a span says, and may name it anew. */
export type Note = (more: Attributes, rename?: string) => void

/** Does work inside a span, which `note` may add to; without a receiver it just does the work. */
export function inSpan<T>(stretch: Stretch, work: (note: Note) => Promise<T>): Promise<T> {
  return isTracing() ? traced(stretch, work) : work(noteNothing)
}

const noteNothing = () => {}

async function traced<T>(
  { name, attributes = {}, headers }: Stretch,
  work: (note: Note) => Promise<T>,
): Promise<T> {
  const parent = headers ? propagation.extract(context.active(), headers) : context.active()
  const span = trace.getTracer("parley").startSpan(name, { attributes }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () =>
      work((more, rename) => {
        span.setAttributes(more)
        if (rename !== undefined) span.updateName(rename)
      }),
    )
  } catch (error) {
    fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Notes work that is done already, between two moments in milliseconds since 1970. */
export function noteSpan({ name, attributes = {} }: Stretch, from: number, to: number): void {
  if (!isTracing()) return
  trace.getTracer("parley").startSpan(name, { attributes, startTime: from }).end(to)
}

/** The id of the trace that a request says it belongs to; undefined: none, or not a legal one. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const [, id, span] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/.exec(traceparent ?? "") ?? []
  return id === undefined || /^0+$/.test(id) || /^0+$/.test(span ?? "") ? undefined : id
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  // The message may hold what users said; the kind of error says enough.
  span.setAttribute("error.type", error instanceof Error ? error.name : typeof error)
}
