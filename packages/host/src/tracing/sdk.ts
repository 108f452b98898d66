import { randomUUID } from 'node:crypto';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { createCountedProcessor, type SpanCounts } from './counted-spans';
import { createSampler } from './sampler';
import type { TracingConfig } from './tracing-settings';

/** Attributes are ids and words of the code; what is longer is a fault of ours, and cut. */
const MAX_ATTRIBUTE_CHARACTERS = 512;

/** The SDK, made the library's global one. */
export function openSdk(serviceName: string, config: TracingConfig, counts: SpanCounts): TracerProvider {
  const { OTEL_BSP_MAX_QUEUE_SIZE: maxWaiting, OTEL_BSP_SCHEDULE_DELAY: delayMs } = config;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.instance.id': randomUUID(), 'service.namespace': 'mediagate' })
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: createSampler({ ratio: ratioOf(config), callersPerSecond: callersPerSecond(config) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: [createCountedProcessor({ exporter: new OTLPTraceExporter(), maxWaiting, delayMs, counts })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return provider;
}

function ratioOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }: TracingConfig): number {
  if (sampler.endsWith('always_on')) return 1;
  if (sampler.endsWith('always_off')) return 0;
  const ratio = Number(share);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new Error('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1');
}

function callersPerSecond({ OTEL_TRACES_SAMPLER: sampler, TRACE_CALLERS_PER_SECOND: limit }: TracingConfig): number {
  return sampler.startsWith('parentbased_') ? limit : 0;
}
