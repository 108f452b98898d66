import type { FaultCode, Json, JsonObject, StartOutcome } from '@mediagate/contracts';
import { type Adapter, createAdapters, createHttpClient, type HttpClient, type HttpClientOptions } from '../src';
import { API_KEY, callContext, type Fixture, named, plainOutcome, readFixtures, startRequest } from './fixtures';
import { closedOrigin, type Replay, type ReplayServer, readForm, replyWith, startReplayServer } from './replay-server';

/** What every protocol must have a fixture of. */
const REQUIRED = [
  'success',
  'edit',
  'policy',
  'bad-request',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'quota',
  'server-error',
];

export interface Conformance {
  protocol: string;
  /** The path of the channel's `base_url` in the fixtures, as `/v1`. */
  basePath: string;
  /** Words that would tell a caller who the vendor is. */
  vendorWords: RegExp;
}

/** Proves an adapter against its fixtures and against everything that a network can do to a start. */
export function describeAdapterConformance({ protocol, basePath, vendorWords }: Conformance): void {
  const fixtures = readFixtures(protocol);
  const success = named(fixtures, 'success');
  let server: ReplayServer | undefined;
  const clients: HttpClient[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await server?.close();
    server = undefined;
  });

  function adapter(options?: HttpClientOptions): Adapter {
    const client = createHttpClient(options);
    clients.push(client);
    const found = createAdapters(client).get(protocol);
    if (!found) throw new Error(`no adapter ${protocol}`);
    return found;
  }

  async function listen(replay: Replay): Promise<string> {
    server = await startReplayServer(replay);
    return server.origin + basePath;
  }

  /** The success's start against a server that behaves as told. */
  async function startAgainst(replay: Replay, options: JsonObject = {}, http?: HttpClientOptions) {
    const context = callContext(await listen(replay), options);
    return adapter(http).start(startRequest(success, success), context);
  }

  function successReply(response: Parameters<Replay>[0], index: number, body: unknown = success.replies[index]?.body) {
    const reply = success.replies[index];
    replyWith(response, reply?.status ?? 200, reply?.headers ?? {}, body);
  }

  describe(`${protocol} fixtures`, () => {
    it('cover what every protocol must show', () => {
      expect(fixtures.map(({ name }) => name)).toEqual(expect.arrayContaining(REQUIRED));
    });

    it.each(fixtures.map((fixture) => [fixture.name, fixture.about, fixture] as const))(
      '%s: %s',
      async (_, __, fixture) => {
        const baseUrl = await listen((response, index) => {
          const reply = fixture.replies[index];
          if (!reply) throw new Error(`request ${index + 1} was not expected`);
          replyWith(response, reply.status, reply.headers, reply.body);
        });
        const request = startRequest(fixture, success);
        const outcome = await adapter().start(request, callContext(baseUrl, fixture.options));
        expect(plainOutcome(outcome)).toEqual(fixture.outcome);
        expectDiscretion(outcome, String(request.request['prompt']));
        await expectWire(fixture);
      },
    );
  });

  describe(`${protocol} on a bad network`, () => {
    const hazards: [string, Replay, FaultCode][] = [
      ['malformed JSON under 200', (response) => replyWith(response, 200, {}, '{"data": [{'), 'outcome_unknown'],
      ['JSON that is no object under 200', (response) => replyWith(response, 200, {}, '[1]'), 'outcome_unknown'],
      ['nothing under 200', (response) => replyWith(response, 200, {}, ''), 'outcome_unknown'],
      ['HTML under 200', (response) => replyWith(response, 200, HTML, '<html>sign in</html>'), 'outcome_unknown'],
      ['a body cut short under 200', truncate, 'outcome_unknown'],
      ['a reset after the request was read', (response) => response.destroy(), 'outcome_unknown'],
      ['HTML of a gateway under 502', (response) => replyWith(response, 502, HTML, '<html/>'), 'outcome_unknown'],
      ['HTML of a gateway under 504', (response) => replyWith(response, 504, HTML, '<html/>'), 'outcome_unknown'],
      ['HTML of a gateway under 503', (response) => replyWith(response, 503, HTML, '<html/>'), 'not_accepted'],
      ['HTML of a gateway under 413', (response) => replyWith(response, 413, HTML, '<html/>'), 'bad_request'],
      ['a 500 without a body', (response) => replyWith(response, 500, {}, ''), 'upstream_fault'],
      ['a redirect, which is not followed', redirect, 'operator'],
    ];
    it.each(hazards)('%s', async (_, replay, code) => {
      const outcome = await startAgainst(replay);
      expect(plainOutcome(outcome)).toMatchObject({ kind: 'refused', fault: { code } });
      expect(server?.received.every(({ path }) => path.startsWith(basePath))).toBe(true);
      expectDiscretion(outcome, String(success.request?.['prompt']));
    });

    it('a refused connection was not accepted', async () => {
      const outcome = await adapter().start(startRequest(success, success), callContext(await closedOrigin()));
      expect(plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'not_accepted' } });
    });

    it('a TLS handshake that fails was not accepted, and nothing was sent', async () => {
      const baseUrl = (await listen(successReply)).replace('http:', 'https:');
      const outcome = await adapter().start(startRequest(success, success), callContext(baseUrl));
      expect(plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'not_accepted' } });
      expect(server?.received).toEqual([]);
    });

    it('a start that its caller aborts while the vendor works has an unknown outcome, at once', async () => {
      const abort = new AbortController();
      const context = callContext(await listen(() => undefined), {}, abort.signal);
      const started = adapter().start(startRequest(success, success), context);
      await server?.waitFor(1);
      abort.abort();
      expect(plainOutcome(await started)).toEqual({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    });

    it('a start aborted beforehand sends nothing', async () => {
      const context = callContext(await listen(successReply), {}, AbortSignal.abort());
      const outcome = await adapter().start(startRequest(success, success), context);
      expect(plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'not_accepted' } });
      expect(server?.connections()).toBe(0);
    });

    it('an answer that drips is cut at the total deadline', async () => {
      const startedAt = Date.now();
      const outcome = await startAgainst(drip, { timeout_seconds: 1 });
      expect(plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'outcome_unknown' } });
      expect(Date.now() - startedAt).toBeLessThan(3_000);
    });

    it('an answer over the byte limit is not read on', async () => {
      const outcome = await startAgainst(successReply, {}, { maxResponseBytes: 64 });
      expect(plainOutcome(outcome)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    });

    it('never throws and never makes up numbers, whatever type a field of the answer has', async () => {
      const bodies = mutations(success.replies[0]?.body ?? {});
      expect(bodies.length).toBeGreaterThan(30);
      let current: JsonObject = {};
      const context = callContext(await listen((response, index) => successReply(response, index, current)));
      const subject = adapter();
      for (const body of bodies) {
        current = body;
        expectSound(await subject.start(startRequest(success, success), context));
      }
    });
  });

  it(`${protocol} names an option that it does not know, and takes none as fine`, () => {
    expect(adapter().checkOptions?.({ no_such_option: true })).toContain('no_such_option');
    expect(adapter().checkOptions?.({ timeout_seconds: 0 })).toContain('timeout_seconds');
    expect(adapter().checkOptions?.({ timeout_seconds: 60 })).toBeUndefined();
    expect(adapter().checkOptions?.({})).toBeUndefined();
  });

  async function expectWire({ wire }: Fixture): Promise<void> {
    for (const request of server?.received ?? []) {
      expect(request).toMatchObject({ method: 'POST', headers: { 'accept-encoding': 'identity' } });
      expect(request.headers['content-length']).toBe(String(request.body.length));
    }
    if (!wire) return;
    expect(server?.received).toHaveLength(wire.length);
    for (const [index, { path, headers, json, fields, files }] of wire.entries()) {
      const request = server?.received[index];
      if (!request) throw new Error('fewer requests than expected');
      expect(request).toMatchObject({ path, headers });
      if (json) expect(JSON.parse(request.body.toString())).toEqual(json);
      if (fields) expect(await readForm(request)).toEqual({ fields, files });
    }
  }

  function expectDiscretion(outcome: StartOutcome, prompt: string): void {
    if (outcome.kind !== 'refused') return;
    const { detail, publicMessage = '' } = outcome.fault;
    expect(detail.length).toBeLessThanOrEqual(500);
    expect(detail).not.toContain(API_KEY);
    expect(detail.toLowerCase()).not.toContain(prompt.slice(0, 20).toLowerCase());
    expect(detail).not.toMatch(/sk-|https?:|127\.0\.0\.1/);
    expect(publicMessage).not.toMatch(vendorWords);
    expect(publicMessage).not.toMatch(/key|quota|balance|https?:|request id/i);
  }
}

const HTML = { 'content-type': 'text/html' };

const truncate: Replay = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": [', () => response.destroy());
};

const redirect: Replay = (response) => replyWith(response, 307, { location: '/elsewhere' }, '');

const drip: Replay = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
};

/** The body with each value at each depth replaced by each wrong kind of value, and with each field left out. */
function mutations(body: JsonObject): JsonObject[] {
  const wrong: Json[] = [null, true, -1, 1.5, 1e300, 'text', '', [], [null], {}, { a: [] }];
  return paths(body).flatMap((path) => [
    ...wrong.map((value) => replaced(body, path, value)),
    replaced(body, path, undefined),
  ]);
}

function paths(value: Json, prefix: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => {
    const path = [...prefix, key];
    return [path, ...paths((value as Record<string | number, Json>)[key] ?? null, path)];
  });
}

function replaced(body: JsonObject, path: (string | number)[], value: Json | undefined): JsonObject {
  const copy = structuredClone(body);
  let target = copy as Record<string | number, Json>;
  for (const key of path.slice(0, -1)) target = target[key] as Record<string | number, Json>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

function expectSound(outcome: StartOutcome): void {
  if (outcome.kind === 'started') throw new Error('a synchronous protocol that starts a job');
  if (outcome.kind === 'refused') {
    expect(outcome.fault.detail).not.toBe('');
    return;
  }
  expect(outcome.outputs.length).toBeGreaterThan(0);
  expect(outcome.usage.images).toBe(outcome.outputs.length);
  for (const value of Object.values(outcome.usage)) {
    expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
  }
  for (const { bytes, url } of outcome.outputs) expect(bytes?.length ?? url?.length).toBeGreaterThan(0);
}
