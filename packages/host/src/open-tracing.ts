import { Counter } from 'prom-client';
import type { Scope } from './scope';
import { startTracing } from './tracing/start-tracing';
import type { TracingConfig } from './tracing/tracing-settings';

/** Traces the process where a collector is set, and shows what becomes of its spans. First of all, so that it is closed last. */
export function openTracing(service: string, scope: Scope, config: TracingConfig): void {
  const { logger, metrics } = scope;
  const spans = new Counter({
    name: 'mediagate_trace_spans_total',
    help: 'Spans of traces: sent to the collector, not taken by it, or dropped because too many waited.',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const tracing = startTracing(service, config, {
    count: (outcome, count) => spans.inc({ outcome }, count),
    reachable(isReachable, detail) {
      if (isReachable) logger.info('tracing.exported_again');
      else logger.warn('tracing.export_failed', { detail });
    },
  });
  if (tracing !== undefined) scope.defer('traces', () => tracing.shutdown());
}
