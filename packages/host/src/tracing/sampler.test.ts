import { type Context, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { fromOutside } from './request-span';
import { createSampler, type SamplerOptions } from './sampler';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function sampling(options: Partial<SamplerOptions>) {
  const sampler = createSampler({ ratio: 0, callersPerSecond: 0, random: () => 0.5, now: () => 0, ...options });
  return (parent: Context) =>
    sampler.shouldSample(parent, TRACE, 'a request', SpanKind.SERVER, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;
}

function named(traceFlags: TraceFlags): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: '00f067aa0ba902b7', traceFlags });
}

const caller = (flags: TraceFlags) => fromOutside(named(flags));

describe('what is recorded', () => {
  it('is the share of requests that the operator wants, whatever id and flag their callers name', () => {
    const isRecorded = sampling({ ratio: 0.6 });
    const parents = [fromOutside(ROOT_CONTEXT), caller(TraceFlags.NONE), caller(TraceFlags.SAMPLED)];
    expect(parents.map(isRecorded)).toEqual([true, true, true]);
    expect(parents.map(sampling({ ratio: 0.5 }))).toEqual([false, false, false]);
  });

  it('is no request more because its caller asks for it, unless the operator allows some a second', () => {
    let nowMs = 0;
    const isRecorded = sampling({ callersPerSecond: 2, now: () => nowMs });
    const ask = () => [1, 2, 3].map(() => isRecorded(caller(TraceFlags.SAMPLED)));
    expect(ask()).toEqual([true, true, false]);
    expect(isRecorded(caller(TraceFlags.NONE))).toBe(false);
    nowMs = 1000;
    expect(ask()).toEqual([true, true, false]);
  });

  it('is in all of the gateway what was decided for the request', () => {
    expect(sampling({ ratio: 0 })(named(TraceFlags.SAMPLED))).toBe(true);
    expect(sampling({ ratio: 1 })(named(TraceFlags.NONE))).toBe(false);
  });
});
