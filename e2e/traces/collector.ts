import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, untilExit, untilItAnswers } from '@mediagate/testkit/servers';

const SPANS_LIMIT_MS = 60_000;

/** A span as the collector understood it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty: it is the trace's first. */
  parentSpanId: string;
  name: string;
  service: string;
  /** The process that it is of. */
  instance: string;
  attributes: Record<string, string | number>;
  events: string[];
  beganAt: number;
  endedAt: number;
}

/** A real collector on loopback: it takes OTLP, and passes on what it made of it. */
export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  spans(): CollectedSpan[];
  /** All that the collector passed on. */
  text(): string;
  /** Resolves with the spans of a trace, once `isWhole` is true of them. */
  trace(traceId: string, isWhole: (spans: CollectedSpan[]) => boolean): Promise<CollectedSpan[]>;
  stop(): Promise<void>;
}

export async function startCollector(program: string): Promise<Collector> {
  const received: string[] = [];
  const receiver = await startReceiver((body) => received.push(body));
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(program, ['--config', `yaml:${configuration(endpoint, receiver)}`], { stdio: 'inherit' });
  const listens = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  await untilItAnswers(listens, untilExit(child));
  const spans = () => received.flatMap(spansIn);
  return {
    endpoint,
    spans,
    text: () => received.join('\n'),
    async trace(traceId, isWhole) {
      const limit = Date.now() + SPANS_LIMIT_MS;
      for (;;) {
        const found = spans().filter((span) => span.traceId === traceId);
        if (isWhole(found)) return found;
        if (Date.now() > limit)
          throw new Error(`only this of trace ${traceId} came: ${JSON.stringify(found, null, 1)}`);
        await delay(100);
      }
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

/** Nothing waits in the collector: what it has acknowledged was passed on before. */
function configuration(endpoint: string, receiver: Server): string {
  const { port } = receiver.address() as AddressInfo;
  return JSON.stringify({
    receivers: { otlp: { protocols: { http: { endpoint: new URL(endpoint).host } } } },
    exporters: {
      otlp_http: {
        endpoint: `http://127.0.0.1:${port}`,
        encoding: 'json',
        compression: 'none',
        sending_queue: { enabled: false },
        retry_on_failure: { enabled: false },
      },
    },
    service: {
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  });
}

async function startReceiver(take: (body: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(Buffer.concat(chunks).toString('utf8'));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: string; doubleValue?: number };
}

interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes?: OtlpAttribute[];
  events?: { name: string }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

function spansIn(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as OtlpTraces;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { 'service.name': service, 'service.instance.id': instance } = valuesOf(resource.attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...toSpan(span), service: String(service), instance: String(instance) })),
    );
  });
}

function toSpan({ traceId, spanId, parentSpanId = '', name, attributes = [], events = [], ...times }: OtlpSpan) {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    attributes: valuesOf(attributes),
    events: events.map((event) => event.name),
    beganAt: Number(times.startTimeUnixNano) / 1e6,
    endedAt: Number(times.endTimeUnixNano) / 1e6,
  };
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? doubleValue ?? Number(intValue),
    ]),
  );
}
