import { Counter } from 'prom-client';
import type { Scope } from '../scope';
import type { SpanCounts } from './counted-spans';
import type { TracingConfig } from './tracing-settings';

export interface Tracing {
  /** Sends what waits, within a limit. */
  shutdown(): Promise<void>;
}

/** Starts the SDK, once in a process. Undefined: no endpoint is set, and nothing of it is loaded. */
export function startTracing(service: string, config: TracingConfig, counts: SpanCounts): Tracing | undefined {
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || config.OTEL_SDK_DISABLED) return undefined;
  const { openSdk } = require('./sdk') as typeof import('./sdk');
  return openSdk(config.OTEL_SERVICE_NAME ?? `mediagate-${service}`, config, counts);
}

/** Traces the process where a collector is set, and shows what becomes of its spans. First of all, so that it is closed last. */
export function openTracing(service: string, scope: Scope, config: TracingConfig): void {
  const { logger, metrics } = scope;
  const spans = new Counter({
    name: 'mediagate_trace_spans_total',
    help: 'Spans of traces: sent to the collector, refused by it, or dropped because too many waited.',
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
