import {
  annotate,
  callbackTraceHeaders,
  continueTrace,
  inSpan,
  keepTrace,
  markEvent,
  openRequestSpan,
  recordSpan,
  startTracing,
  storableTrace,
  traceFields,
} from '../index';
import type { TracingConfig } from './tracing-settings';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const CONFIG = { OTEL_SDK_DISABLED: false } as TracingConfig;
const never = () => {
  throw new Error('asked for nothing');
};

describe('without an endpoint', () => {
  it('nothing is started', () => {
    const counts = { count: never, reachable: never };
    expect(startTracing('api', CONFIG, counts)).toBeUndefined();
    const disabled = { ...CONFIG, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: true };
    expect(startTracing('api', disabled, counts)).toBeUndefined();
  });

  it('a request has no span, and is not described', () => {
    expect(openRequestSpan({ traceparent: TRACEPARENT }, never)).toBeUndefined();
  });

  it('work runs as it is, and nothing about it is asked for', async () => {
    const work = async () => {
      annotate(never);
      markEvent('an event');
      recordSpan('past', { durationMs: 1, traceContext: TRACEPARENT, attributes: never });
      return [storableTrace(), traceFields(), callbackTraceHeaders()];
    };
    const traced = continueTrace(TRACEPARENT, () => inSpan('work', { attributes: never }, work));
    expect(await traced).toEqual([undefined, undefined, {}]);
    expect(keepTrace(never)).toBe(never);
  });
});
