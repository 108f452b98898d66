import { type Context, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

/** Headers of W3C Trace Context. */
interface TraceHeaders {
  traceparent?: string;
  tracestate?: string;
}

/** The trace under way, as a row keeps it: `traceparent`, and `tracestate` behind a space. Undefined: there is none. */
export function storableTrace(): string | undefined {
  const { traceparent, tracestate } = activeHeaders();
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

/** Runs work in the trace that a row keeps; whatever cannot be read as one is passed over. */
export function continueTrace<T>(stored: string | null | undefined, work: () => T): T {
  return stored ? context.with(storedContext(stored), work) : work();
}

/** Trace headers of a request to somebody who may know the trace; empty: there is no trace. */
export function callbackTraceHeaders(): Record<string, string> {
  return { ...activeHeaders() };
}

/** Keeps a function in the trace under way, for whoever calls it later out of another one. */
export function keepTrace<Work extends () => unknown>(work: Work): Work {
  return context.bind(context.active(), work);
}

/** Fields that every log line of the work under way has. */
export function traceFields(): { trace_id: string; span_id: string } | undefined {
  const span = trace.getSpanContext(context.active());
  return span && { trace_id: span.traceId, span_id: span.spanId };
}

/** The context of a row's trace; without one the root. */
export function storedContext(stored: string | null | undefined): Context {
  if (!stored) return ROOT_CONTEXT;
  const [traceparent, tracestate] = stored.split(' ', 2);
  return propagation.extract(ROOT_CONTEXT, { traceparent, tracestate });
}

function activeHeaders(): TraceHeaders {
  const headers: TraceHeaders = {};
  propagation.inject(context.active(), headers);
  return headers;
}
