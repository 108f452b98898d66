import { until } from '@mediagate/testkit';
import { freePort } from '@mediagate/testkit/servers';
import { createCaller } from '../system/caller';
import { judgedFetch } from '../system/judged-answers';
import { type System, startSystem } from '../system/start-system';
import { bringCollector } from './bring-collector';
import { type CollectedSpan, type Collector, startCollector } from './collector';

const UNIT = 1_000_000_000n;
const IMAGINE = '/v1/imgtool/generations/imagine';
const PROMPT = 'a fox that no trace shows';
const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';

const program = bringCollector();

(program === undefined ? describe.skip : describe)('a real collector', () => {
  let collector: Collector;
  let system: System<'api' | 'imgtool' | 'tts' | 'webhook-delivery' | 'reconciler'>;
  beforeAll(async () => {
    collector = await startCollector(String(program));
    system = await startSystem({
      services: ['api', 'imgtool', 'tts', 'webhook-delivery', 'reconciler'],
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' },
    });
  }, 900_000);
  afterAll(async () => {
    await system?.stop();
    await collector?.stop();
  });

  it('has an image task whose worker was killed as one tree, from its request to its callback', async () => {
    const { caller, key, webhookSecret } = await system.account(10n * UNIT);
    const webhook = `${system.simulator.receiverUrl('traced')}?token=hidden-token`;
    // Answered 503 first, so that there are two attempts.
    await system.simulator.script('traced', [503, 200]);
    const accepted = await caller.post(
      IMAGINE,
      { prompt: `${PROMPT} --v 7 [[sim:latency=4000ms]]`, webhook },
      { traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`, tracestate: 'vendor=value', 'x-request-id': 'asked-1' },
    );
    const taskId = accepted.body.data[0].task_id;
    await until(async () => (await stateOf(taskId)) === 'accepted');
    // With the step around it: what the killed worker had not sent yet is lost.
    await collector.trace(CALLERS_TRACE, (spans) =>
      named(spans, 'vendor.start').some((start) => spans.some(({ spanId }) => spanId === start.parentSpanId)),
    );
    await system.services.imgtool.kill();
    await system.services.imgtool.start();
    await caller.ended(taskId);
    const callbacks = await system.simulator.received('traced', 2);

    const isWhole = (spans: CollectedSpan[]) =>
      named(spans, 'callback.attempt').length === 2 && named(spans, 'task.settle').length === 1;
    const spans = await collector.trace(CALLERS_TRACE, isWhole);
    const request = one(spans, `POST ${IMAGINE}`);
    expect(request).toMatchObject({
      parentSpanId: CALLERS_SPAN,
      service: 'mediagate-api',
      attributes: {
        'http.response.status_code': 200,
        'mediagate.request_id': 'asked-1',
        'mediagate.task_id': taskId,
        'mediagate.family': 'imgtool',
      },
    });
    expect(tree(spans, CALLERS_SPAN)).toEqual({
      [`POST ${IMAGINE}`]: {
        'task.book': {},
        'queue.wait': {},
        'task.step': expect.objectContaining({
          'vendor.start': { POST: {} },
          'vendor.check': { GET: {} },
          'media.fetch': {},
          'media.store': {},
          'task.settle': {},
        }),
        'callback.attempt': { POST: {} },
      },
    });
    expect(one(spans, 'task.book').attributes).toEqual({
      'mediagate.outcome': 'accepted',
      'mediagate.batch.size': 1,
      'mediagate.batch.rounds': 1,
    });
    const workers = named(spans, 'task.step').map(({ instance }) => instance);
    expect(new Set(workers).size).toBe(2);
    expect(one(spans, 'queue.wait').beganAt).toBeGreaterThanOrEqual(request.beganAt - 50);
    const attempts = named(spans, 'callback.attempt');
    expect(attempts.map(({ attributes }) => attributes['mediagate.outcome'])).toEqual(['retry', 'delivered']);
    // A receiver goes on from the request that it got.
    const sent = attempts.flatMap(({ spanId }) => spans.filter(({ parentSpanId }) => parentSpanId === spanId));
    expect(callbacks.map(({ headers }) => [headers['traceparent'], headers['tracestate']])).toEqual(
      sent.map(({ spanId }) => [`00-${CALLERS_TRACE}-${spanId}-01`, 'vendor=value']),
    );

    for (const hidden of [PROMPT, key, webhookSecret, 'hidden-token', 'signature', 'x-goog']) {
      expect([hidden, collector.text().includes(hidden)]).toEqual([hidden, false]);
    }
    for (const { name, log } of [system.services.api, system.services.imgtool, system.services['webhook-delivery']]) {
      const lines = log()
        .split('\n')
        .filter((line) => line.includes(taskId));
      expect([name, lines.length > 0]).toEqual([name, true]);
      expect(lines.filter((line) => !line.includes(`"trace_id":"${CALLERS_TRACE}"`))).toEqual([]);
    }
  }, 180_000);

  it('has the stream of a text within its request, whose malformed traceparent is ignored, and settles it there', async () => {
    const { key } = await system.account(UNIT);
    const route = '/v1beta/models/text-2.5-flash:streamGenerateContent?alt=sse';
    const response = await judgedFetch(`${system.baseUrl}/gemini${route}`, {
      method: 'POST',
      headers: {
        'x-goog-api-key': key,
        'content-type': 'application/json',
        'x-request-id': 'text-1',
        traceparent: `00-${CALLERS_TRACE}-0000000000000000-01`,
      },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: PROMPT }] }] }),
    });
    await response.text();
    const request = await requestOf('text-1');
    const spans = await collector.trace(request.traceId, (found) => named(found, 'task.settle').length === 1);
    expect(request.traceId).not.toBe(CALLERS_TRACE);
    expect(request.events).toContain('first_byte');
    expect(tree(spans, '')[request.name]).toEqual({
      'task.book': {},
      'vendor.start': { POST: {} },
      'text.stream': {},
      'task.settle': {},
    });
    expect(one(spans, 'text.stream').endedAt).toBeLessThanOrEqual(request.endedAt + 50);
  });

  it('has a speech from its request over its worker', async () => {
    const { caller } = await system.account(UNIT);
    const body = { model: 'ttsmodel-mini', input: PROMPT, voice: 'coral' };
    const answer = await caller.post('/v1/audio/speech', body, { 'x-request-id': 'speech-1' });
    expect(answer.status).toBe(200);
    const request = await requestOf('speech-1');
    const spans = await collector.trace(request.traceId, (found) => named(found, 'task.step').length === 1);
    expect(request.events).toContain('first_byte');
    expect(tree(spans, '')[request.name]).toEqual({
      'task.book': {},
      'queue.wait': {},
      'task.step': { 'vendor.start': { POST: {} }, 'speech.stream': {}, 'task.settle': {} },
    });
  });

  it('may be away: requests are served as ever, what it did not take is counted, and the process ends in time', async () => {
    const { key } = await system.account(UNIT);
    const port = String(await freePort());
    const away = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    };
    const api = await system.another('api', { ...away, PORT: port });
    const ask = () => createCaller(`http://127.0.0.1:${port}`, key).get('/v1/user/balance');
    expect((await ask()).status).toBe(200);
    const failed = async () =>
      /^mediagate_trace_spans_total\{outcome="failed"\} [1-9]/m.test(await textAt(api.metricsUrl));
    await until(failed);
    expect((await ask()).status).toBe(200);
    expect(await api.stop()).toBe(0);
    expect(api.log().match(/tracing\.export_failed/g)).toHaveLength(1);
  });

  it('is sent what waits when a process ends, and counts what it was sent', async () => {
    const { caller } = await system.account(UNIT);
    await caller.get('/v1/user/balance', { 'x-request-id': 'last-1' });
    expect(await textAt(system.services.api.metricsUrl)).toMatch(
      /^mediagate_trace_spans_total\{outcome="exported"\} [1-9]/m,
    );
    expect(await system.services.api.stop()).toBe(0);
    expect(await requestOf('last-1')).toMatchObject({ name: 'GET /v1/user/balance' });
  });

  async function stateOf(id: string): Promise<string | null | undefined> {
    return (await system.database.task.findUnique({ where: { id } }))?.attemptState;
  }

  async function requestOf(id: string): Promise<CollectedSpan> {
    const find = () => collector.spans().find(({ attributes }) => attributes['mediagate.request_id'] === id);
    await until(async () => find() !== undefined);
    return find() as CollectedSpan;
  }
});

async function textAt(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan[] {
  return spans.filter((span) => span.name === name).sort((left, right) => left.beganAt - right.beganAt);
}

function one(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const [span, ...more] = named(spans, name);
  if (span === undefined || more.length > 0) throw new Error(`not one ${name} but ${more.length + (span ? 1 : 0)}`);
  return span;
}

interface Tree {
  [name: string]: Tree;
}

/** The spans below a span, by name; spans of one name are one branch. */
function tree(spans: readonly CollectedSpan[], ...parents: string[]): Tree {
  const below = spans.filter(({ parentSpanId }) => parents.includes(parentSpanId));
  return Object.fromEntries(
    [...new Set(below.map(({ name }) => name))].map((name) => {
      const ids = below.filter((span) => span.name === name).map(({ spanId }) => spanId);
      return [name, tree(spans, ...ids)];
    }),
  );
}
