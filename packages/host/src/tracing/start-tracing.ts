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
