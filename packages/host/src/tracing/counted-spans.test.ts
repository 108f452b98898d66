import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { createCountedProcessor } from './counted-spans';

/** A collector that answers when the test says so. */
function tracing(maxWaiting: number) {
  const counts: Record<string, number> = {};
  const reachable: boolean[] = [];
  const asked: ((code: ExportResultCode) => void)[] = [];
  const exporter = {
    export: (_: ReadableSpan[], done: (result: ExportResult) => void) => void asked.push((code) => done({ code })),
    shutdown: async () => {},
  };
  const processor = createCountedProcessor({
    exporter,
    maxWaiting,
    delayMs: 60_000,
    counts: {
      count: (outcome, spans) => {
        counts[outcome] = (counts[outcome] ?? 0) + spans;
      },
      reachable: (isReachable) => reachable.push(isReachable),
    },
  });
  const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer('test');
  const end = (spans: number) => {
    for (let made = 0; made < spans; made += 1) tracer.startSpan('work').end();
  };
  return { processor, counts, reachable, asked, end };
}

describe('spans that wait for the collector', () => {
  it('have a bound: what comes beyond it is dropped and counted, and later ones find room', async () => {
    const { processor, counts, asked, end } = tracing(10);
    // The first ten are a batch, which is on its way.
    end(10);
    expect([asked.length, counts]).toEqual([1, {}]);
    end(12);
    expect([asked.length, counts]).toEqual([1, { dropped: 2 }]);
    asked.shift()?.(ExportResultCode.SUCCESS);
    const flushed = processor.forceFlush();
    asked.shift()?.(ExportResultCode.SUCCESS);
    await flushed;
    expect(counts).toEqual({ dropped: 2, exported: 20 });
  });

  it('are counted as failed where it does not take them, which is reported once', async () => {
    const { processor, counts, reachable, asked, end } = tracing(10);
    for (const code of [ExportResultCode.FAILED, ExportResultCode.FAILED, ExportResultCode.SUCCESS]) {
      end(1);
      const flushed = processor.forceFlush().catch(() => undefined);
      asked.shift()?.(code);
      await flushed;
    }
    expect(counts).toEqual({ failed: 2, exported: 1 });
    expect(reachable).toEqual([false, true]);
  });
});
