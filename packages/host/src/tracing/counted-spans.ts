import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';

/** Counts what became of the spans to be sent. */
export interface SpanCounts {
  /** `dropped`: too many waited for the collector. `failed`: it did not take them. */
  count(outcome: 'exported' | 'failed' | 'dropped', spans: number): void;
  /** The collector took spans after it had not, or the other way around. `detail` says why it did not. */
  reachable(isReachable: boolean, detail: string): void;
}

export interface CountedOptions {
  exporter: SpanExporter;
  maxWaiting: number;
  /** Between two batches, while few wait. */
  delayMs: number;
  counts: SpanCounts;
}

/** Batches of spans, of which so many wait at most. What comes beyond that is dropped, and counted, like what cannot be sent. */
export function createCountedProcessor({ exporter, maxWaiting, delayMs, counts }: CountedOptions): SpanProcessor {
  const sender = new CountedExporter(exporter, counts);
  const batches = new BatchSpanProcessor({ exporter: sender, maxQueueSize: maxWaiting, scheduledDelayMillis: delayMs });
  return {
    onStart: () => {},
    onEnd(span) {
      if (sender.waiting >= maxWaiting) {
        counts.count('dropped', 1);
        return;
      }
      sender.waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

class CountedExporter implements SpanExporter {
  /** Spans that the processor holds. */
  waiting = 0;
  readonly #exporter: SpanExporter;
  readonly #counts: SpanCounts;
  #isReachable = true;

  constructor(exporter: SpanExporter, counts: SpanCounts) {
    this.#exporter = exporter;
    this.#counts = counts;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.waiting -= spans.length;
    this.#exporter.export(spans, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS;
      this.#counts.count(isTaken ? 'exported' : 'failed', spans.length);
      if (isTaken !== this.#isReachable) {
        this.#isReachable = isTaken;
        this.#counts.reachable(isTaken, result.error?.message ?? '');
      }
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }
}
