/** Records OpenTelemetry spans, which cost nothing without an SDK in the process. */
import {
  type Attributes,
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api"

// The fallback of the API without a provider.
const noopProvider = new ProxyTracerProvider().getDelegate()

/** Whether spans are recorded. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noopProvider
}

type SpanOptions = {
  name: string
  attributes?: Attributes
  /** Headers of a request, which may continue a trace (W3C Trace Context). */
  headers?: Readonly<Record<string, unknown>>
}

/** Adds attributes to a span, and may rename it. */
type Annotate = (more: Attributes, rename?: string) => void

export function inSpan<T>(
  options: SpanOptions,
  work: (annotate: Annotate) => Promise<T>,
): Promise<T> {
  return isTracing() ? traced(options, work) : work(ignore)
}

const ignore = () => {}

async function traced<T>(
  { name, attributes = {}, headers }: SpanOptions,
  work: (annotate: Annotate) => Promise<T>,
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

/** Records a finished span, between two times in milliseconds since 1970. */
export function recordSpan({ name, attributes = {} }: SpanOptions, from: number, to: number): void {
  if (!isTracing()) return
  trace.getTracer("parley").startSpan(name, { attributes, startTime: from }).end(to)
}

/** The trace id of a `traceparent` header. Returns undefined if it is missing or invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const [, id, span] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/.exec(traceparent ?? "") ?? []
  return id === undefined || /^0+$/.test(id) || /^0+$/.test(span ?? "") ? undefined : id
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  // The message may quote end users, and the type of the error says enough.
  span.setAttribute("error.type", error instanceof Error ? error.name : typeof error)
}
