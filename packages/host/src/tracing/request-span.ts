import type { IncomingHttpHeaders } from 'node:http';
import { type Attributes, type Context, context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { notesOn, type SpanNotes, tracer } from './spans';

/** The span of a request that came from outside. */
export interface RequestSpan extends SpanNotes {
  /** Runs work of the request, whoever calls it. */
  run<T>(work: () => T): T;
  end(): void;
}

/**
 * Begins the span of a request: in the trace that its caller names by `traceparent`, or in one of its own. Undefined: tracing is
 * off, and `describe` was not called. Whether the span is recorded is for the sampler to say, not for the caller.
 */
export function openRequestSpan(
  headers: IncomingHttpHeaders,
  describe: () => { name: string; attributes: Attributes },
): RequestSpan | undefined {
  // Until tracing is started the library's propagator reads no header.
  if (propagation.fields().length === 0) return undefined;
  const { name, attributes } = describe();
  const parent = fromOutside(propagation.extract(ROOT_CONTEXT, headers));
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  const own = trace.setSpan(ROOT_CONTEXT, span);
  return { ...notesOn(span), run: (work) => context.with(own, work), end: () => span.end() };
}

const FROM_OUTSIDE = Symbol('from outside');

/** Marks what a caller names: its flag decides nothing by itself. */
export function fromOutside(parent: Context): Context {
  return parent.setValue(FROM_OUTSIDE, true);
}

export function isFromOutside(parent: Context): boolean {
  return parent.getValue(FROM_OUTSIDE) === true;
}
