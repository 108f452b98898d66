import { context, ROOT_CONTEXT, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { keepTrace, traceFields } from './contexts';

const manager = new AsyncLocalStorageContextManager();
beforeAll(() => context.setGlobalContextManager(manager.enable()));
afterAll(() => context.disable());

const SPAN: SpanContext = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  traceFlags: TraceFlags.SAMPLED,
};

it('work that is done later, out of another trace, is in the one that it was kept in', () => {
  const read = context.with(trace.setSpanContext(ROOT_CONTEXT, SPAN), () => keepTrace(() => traceFields()?.trace_id));
  const another = trace.setSpanContext(ROOT_CONTEXT, { ...SPAN, traceId: 'f'.repeat(32) });
  expect(context.with(another, read)).toBe(SPAN.traceId);
});
