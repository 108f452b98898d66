import { type Attributes, context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { storedContext } from './contexts';

/** Writes notes on a piece of work into its span, which has its beginning and its end anyway. */
export interface SpanNotes {
  note(attributes: Attributes): void;
  event(name: string): void;
  /** It came to nothing, for a reason that is a word of the code: never a text of a vendor's or a caller's. */
  fail(reason: string): void;
}

export interface SpanOptions {
  /** `client`: it asks another system. `consumer`: it was queued. Absent: neither. */
  kind?: 'client' | 'consumer';
  /** Asked only in a trace. */
  attributes?: () => Attributes;
}

const KINDS = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** Nothing is written of work outside a trace. */
const UNWRITTEN: SpanNotes = { note() {}, event() {}, fail() {} };

/** A trace is under way: where none is, whoever is called very often need not describe its work. */
export function isTraced(): boolean {
  return trace.getActiveSpan() !== undefined;
}

/**
 * Runs work in a span of its own, which ends with it. Outside a trace it only runs the work: this never begins a trace. Of an
 * error that the work throws the span has the name alone, for its message may hold anything.
 */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: SpanNotes) => Promise<T>): Promise<T> {
  if (!isTraced()) return work(UNWRITTEN);
  return tracer().startActiveSpan(name, toOtel(options), async (span) => {
    const notes = notesOn(span);
    try {
      return await work(notes);
    } catch (error) {
      notes.fail(error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds to the span under way. Where there is none, nothing is made of it. */
export function annotate(attributes: () => Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes());
}

/** Something that happened in the span under way. */
export function markEvent(name: string): void {
  trace.getActiveSpan()?.addEvent(name);
}

interface PastSpan extends SpanOptions {
  /** It began so long ago, and ends now. */
  durationMs: number;
  /** The trace of the row that the span belongs to: where another trace is under way, or none, the span becomes its child. */
  traceContext?: string | null | undefined;
}

/** Writes a span of what is over already. */
export function recordSpan(name: string, { durationMs, traceContext, ...options }: PastSpan): void {
  const parent = parentOf(traceContext);
  if (trace.getSpanContext(parent) === undefined) return;
  const endTime = Date.now();
  const startTime = endTime - durationMs;
  tracer()
    .startSpan(name, { ...toOtel(options), startTime }, parent)
    .end(endTime);
}

function parentOf(traceContext: string | null | undefined) {
  const active = context.active();
  if (traceContext === undefined) return active;
  const stored = storedContext(traceContext);
  const isSame = trace.getSpanContext(active)?.traceId === trace.getSpanContext(stored)?.traceId;
  return isSame ? active : stored;
}

export function notesOn(span: Span): SpanNotes {
  return {
    note: (attributes) => void span.setAttributes(attributes),
    event: (name) => void span.addEvent(name),
    fail: (reason) => void span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR }),
  };
}

/** Asked each time: it is a global of the library, and does nothing until tracing was started. */
export function tracer(): Tracer {
  return trace.getTracer('mediagate');
}

function toOtel({ kind, attributes }: SpanOptions) {
  return { kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes: attributes?.() ?? {} };
}

/** The host that a URL names, in the words of spans. The rest of it may hold keys, signatures and what callers wrote. */
export function serverOf(url: string): { 'server.address': string; 'server.port': number } {
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) };
}
