import { isDeepStrictEqual } from 'node:util';
import {
  bytesIn,
  type CheckOutcome,
  type FaultCode,
  inEnglish,
  type Json,
  type JsonObject,
  type StartOutcome,
} from '@mediagate/contracts';
import { type Adapter, type CallContext, createAdapters, createHttpClient, type HttpClient } from '../src';
import { present } from '../src/json-guards';
import {
  type AnyOutcome,
  API_KEY,
  callContext,
  type Fixture,
  NOW_MS,
  named,
  type PlainOutcome,
  plainOutcome,
  type Reply,
  readFixtures,
  startRequest,
} from './fixtures';
import { closedOrigin, type Replay, type ReplayServer, readForm, replyWith, startReplayServer } from './replay-server';

/** Fixtures that every protocol must have. */
const REQUIRED = ['success', 'policy', 'bad-request', 'unauthorized', 'rate-limited', 'quota', 'server-error'];
const REQUIRED_OF_OUTPUTS = ['forbidden'];
const REQUIRED_OF_STREAMS = ['cannot-carry', 'forbidden'];
const REQUIRED_OF_JOBS = [
  'cannot-carry',
  'check-queued',
  'check-running',
  'check-new-word',
  'check-done',
  'check-failed',
  'check-policy',
  'check-refused',
  'check-without-link',
];

const REQUIRED_OF = {
  outputs: REQUIRED_OF_OUTPUTS,
  files: REQUIRED_OF_OUTPUTS,
  jobs: REQUIRED_OF_JOBS,
  streams: REQUIRED_OF_STREAMS,
};

/** Faults that end an accepted job; only the vendor's word about the job itself may give one. */
const FINAL: readonly FaultCode[] = ['bad_request', 'content_policy', 'generation_failed'];
/** A job's operation is a column of a row that is read with every step. */
const OPERATION_MAX_CHARS = 32 * 1024;
/** Each field of an answer becomes something else a dozen times: an answer of one field already has more than this. */
const LEAST_MUTATIONS = 10;

export interface Conformance {
  protocol: string;
  /** The path of the channel's `base_url` in the fixtures, as `/v1`. */
  basePath: string;
  /** Words that would tell a caller who the vendor is. */
  vendorWords: RegExp;
  /**
   * `jobs`: a start is answered by an accepted job, which is asked about later. `files`: by a file, whole. `streams`: by bytes
   * as they are made.
   */
  answers?: 'outputs' | 'files' | 'jobs' | 'streams';
  /** Fixtures that the protocol's family must have beside these. */
  requires?: readonly string[];
  /** This fixture alone, on bad networks too: of a second kind of answer of a protocol whose fixtures are judged already. */
  only?: string;
}

/** Proves an adapter against its fixtures and against everything that a network can do to a start or a question. */
export function describeAdapterConformance(conformance: Conformance): void {
  const { protocol, basePath, vendorWords, answers = 'outputs', requires = [], only } = conformance;
  const all = readFixtures(protocol);
  const success = named(all, only ?? 'success');
  const fixtures = only === undefined ? all : [success];
  let server: ReplayServer | undefined;
  const clients: HttpClient[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await server?.close();
    server = undefined;
  });

  /** @param maxResponseBytes in place of the limit that the adapter has for each answer */
  function adapter(maxResponseBytes?: number): Adapter {
    const client = createHttpClient();
    clients.push(client);
    const send: HttpClient['send'] = (request) =>
      client.send(maxResponseBytes === undefined ? request : { ...request, maxResponseBytes });
    const found = createAdapters({ http: { ...client, send } }).get(protocol);
    if (!found) throw new Error(`no adapter ${protocol}`);
    return found;
  }

  async function listen(replay: Replay): Promise<string> {
    server = await startReplayServer(replay);
    return server.origin + basePath;
  }

  /** The success's start against a server that a test scripts. */
  async function startAgainst(replay: Replay, options: JsonObject = {}, maxResponseBytes?: number) {
    const context = contextOf(success, await listen(replay), { ...success.options, ...options });
    return adapter(maxResponseBytes).start(startRequest(success, success), context);
  }

  function successReply(response: Parameters<Replay>[0], index: number, body?: unknown) {
    const reply = success.replies[index];
    if (reply !== undefined) replyWith(response, reply.status, reply.headers, body ?? bodyOf(reply));
    else replyWith(response, 200, {}, body);
  }

  describe(`${protocol} fixtures`, () => {
    // Sockets need their timers; only the clock stands still.
    beforeEach(() => jest.useFakeTimers({ now: NOW_MS, doNotFake: [...TIMERS] }));
    afterEach(() => jest.useRealTimers());

    it('cover what every protocol must show', () => {
      const required = only === undefined ? [...REQUIRED, ...REQUIRED_OF[answers], ...requires] : [only];
      expect(fixtures.map(({ name }) => name)).toEqual(expect.arrayContaining(required));
    });

    it.each(fixtures.map((fixture) => [fixture.name, fixture.about, fixture] as const))(
      '%s: %s',
      async (_, __, fixture) => {
        const baseUrl = await listen((response, index) => {
          replyAs(fixture, response, index);
        });
        const outcome = await exchange(adapter(), fixture, { success, baseUrl });
        expect(atChannel(await plainOutcome(outcome), new URL(baseUrl).origin)).toEqual(fixture.outcome);
        if (outcome.kind === 'done' && outcome.outputs.some(({ needsKey }) => needsKey === true)) {
          const shown = await adapter().credentials?.show(contextOf(fixture, baseUrl));
          expect(JSON.stringify(shown)).toContain(API_KEY);
        }
        expectDiscretion(outcome, promptOf(fixture, success));
        await expectWire(fixture);
      },
    );
  });

  describe(`${protocol} on a bad network`, () => {
    const hazards: [string, Replay, FaultCode][] = [
      ['malformed JSON under 200', (response) => replyWith(response, 200, {}, '{"data": [{'), 'outcome_unknown'],
      ['an answer nested 100,000 levels deep', (response) => replyNested(success, response), 'outcome_unknown'],
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
      expect(await plainOutcome(outcome)).toMatchObject({ kind: 'refused', fault: { code } });
      expect(server?.received.every(({ path }) => path.startsWith(basePath))).toBe(true);
      expectDiscretion(outcome, promptOf(success, success));
    });

    it('a refused connection was not accepted', async () => {
      const outcome = await adapter().start(startRequest(success, success), contextOf(success, await closedOrigin()));
      expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'not_accepted' } });
    });

    it('a TLS handshake that fails was not accepted, and nothing was sent', async () => {
      const baseUrl = (await listen(successReply)).replace('http:', 'https:');
      const outcome = await adapter().start(startRequest(success, success), contextOf(success, baseUrl));
      expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'not_accepted' } });
      expect(server?.received).toEqual([]);
    });

    it('a start that its caller aborts while the vendor works has an unknown outcome, at once', async () => {
      const abort = new AbortController();
      const context = { ...contextOf(success, await listen(() => undefined)), signal: abort.signal };
      const started = adapter().start(startRequest(success, success), context);
      await server?.waitFor(1);
      abort.abort();
      expect(await plainOutcome(await started)).toEqual({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    });

    it('a start aborted beforehand sends nothing', async () => {
      const context = { ...contextOf(success, await listen(successReply)), signal: AbortSignal.abort() };
      const outcome = await adapter().start(startRequest(success, success), context);
      expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'not_accepted' } });
      expect(server?.connections()).toBe(0);
    });

    // A stream that is passed on as it comes has no bytes that are held and no shape.
    if (answers === 'streams') return;

    it('an answer over the byte limit is not read on', async () => {
      const outcome = await startAgainst(successReply, {}, 16);
      expect(await plainOutcome(outcome)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    });

    // The time of each call of the others is tried by question-time.test.ts.
    if (answers === 'files') {
      it('an answer that drips is cut at the total deadline', async () => {
        const outcome = await startAgainst(drip, { timeout_seconds: 1 });
        expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'outcome_unknown' } });
      });
      return;
    }

    it('never throws and never makes up numbers, whatever type a field of the answer has', async () => {
      const bodies = mutations(success.replies[0]?.body ?? {});
      expect(bodies.length).toBeGreaterThan(LEAST_MUTATIONS);
      let current: JsonObject = {};
      const context = contextOf(success, await listen((response, index) => successReply(response, index, current)));
      const subject = adapter();
      const unsound: unknown[] = [];
      for (const body of bodies) {
        current = body;
        const outcome = await subject.start(startRequest(success, success), context);
        if (!isSound(outcome, answers)) unsound.push({ body, outcome });
      }
      expect(unsound).toEqual([]);
    });
  });

  if (answers === 'jobs') describeQuestions();

  function describeQuestions(): void {
    const done = named(fixtures, 'check-done');

    /** The check of the finished job against a server that a test scripts. */
    async function checkAgainst(replay: Replay, maxResponseBytes?: number): Promise<CheckOutcome> {
      return check(adapter(maxResponseBytes), done, contextOf(done, await listen(replay)));
    }

    describe(`${protocol} asked about a job on a bad network`, () => {
      const hazards: [string, Replay][] = [
        ['malformed JSON under 200', (response) => replyWith(response, 200, {}, '{"data": [{')],
        ['an answer nested 100,000 levels deep', (response) => replyNested(done, response)],
        ['JSON that is no object under 200', (response) => replyWith(response, 200, {}, '[1]')],
        ['an empty object under 200', (response) => replyWith(response, 200, {}, '{}')],
        ['a body cut short under 200', truncate],
        ['a reset after the request was read', (response) => response.destroy()],
        ['HTML of a gateway under 400', (response) => replyWith(response, 400, HTML, '<html/>')],
        ['HTML of a gateway under 404', (response) => replyWith(response, 404, HTML, '<html/>')],
        ['HTML of a gateway under 413', (response) => replyWith(response, 413, HTML, '<html/>')],
        ['a 500 without a body', (response) => replyWith(response, 500, {}, '')],
        ['HTML of a gateway under 503', (response) => replyWith(response, 503, HTML, '<html/>')],
        ['a redirect, which is not followed', redirect],
      ];
      it.each(hazards)('%s does not end the job', async (_, replay) => {
        const outcome = await checkAgainst(replay);
        if (outcome.kind !== 'refused') throw new Error(`an answer was read: ${outcome.kind}`);
        expect(FINAL).not.toContain(outcome.fault.code);
        expectDiscretion(outcome, '');
      });

      it('an answer over the byte limit is not read on, and does not end the job', async () => {
        const outcome = await checkAgainst((response, index) => replyAs(done, response, index), 8);
        expect(await plainOutcome(outcome)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
      });

      it('whatever type a field of the answer has, the job is not ended and no link is made up', async () => {
        const bodies = mutations(done.replies[0]?.body ?? {});
        expect(bodies.length).toBeGreaterThan(LEAST_MUTATIONS);
        let current: JsonObject = {};
        const baseUrl = await listen((response) => {
          const path = server?.received.at(-1)?.path;
          const index = done.wire?.findIndex((sent) => sent.path === path) ?? 0;
          if (index <= 0) replyWith(response, 200, {}, current);
          else replyAs(done, response, index);
        });
        const subject = adapter();
        const unsound: unknown[] = [];
        for (const body of bodies) {
          current = body;
          const outcome = await check(subject, done, contextOf(done, baseUrl));
          const isEnded = outcome.kind === 'refused' && FINAL.includes(outcome.fault.code);
          if (isEnded || (outcome.kind === 'done' && !hasSoundOutputs(outcome))) unsound.push({ body, outcome });
        }
        expect(unsound).toEqual([]);
      });
    });
  }

  it(`${protocol} names an option that it does not know, and takes none as fine`, () => {
    expect(adapter().checkOptions?.({ no_such_option: true })).toContain('no_such_option');
    expect(adapter().checkOptions?.({ timeout_seconds: 0 })).toContain('timeout_seconds');
    expect(adapter().checkOptions?.({ timeout_seconds: 60 })).toBeUndefined();
    expect(adapter().checkOptions?.({})).toBeUndefined();
  });

  async function expectWire({ wire }: Fixture): Promise<void> {
    for (const request of server?.received ?? []) {
      expect(request.headers['accept-encoding']).toBe('identity');
      expect(request.headers['content-length'] ?? '0').toBe(String(request.body.length));
    }
    if (!wire) return;
    expect(server?.received).toHaveLength(wire.length);
    for (const [index, { method = 'POST', path, headers, json, fields, files }] of wire.entries()) {
      const request = server?.received[index];
      if (!request) throw new Error('fewer requests than expected');
      expect(request).toMatchObject({ method, path, headers });
      if (json) expect(JSON.parse(request.body.toString())).toEqual(json);
      if (fields) expect(await readForm(request)).toEqual({ fields, files });
    }
  }

  function expectDiscretion(outcome: AnyOutcome, prompt: string): void {
    if (outcome.kind !== 'refused') return;
    const { detail, message } = outcome.fault;
    const told = message === undefined ? '' : inEnglish(message);
    expect(detail.length).toBeLessThanOrEqual(500);
    expect(detail).not.toContain(API_KEY);
    if (prompt !== '') expect(detail.toLowerCase()).not.toContain(prompt.slice(0, 20).toLowerCase());
    expect(detail).not.toMatch(/sk-|https?:|127\.0\.0\.1/);
    expect(told).not.toMatch(vendorWords);
    expect(told).not.toMatch(/key|quota|balance|https?:|request id/i);
  }
}

/** The right answer with one more member, of so many levels. */
function replyNested({ replies: [reply] }: Fixture, response: Parameters<Replay>[0]): void {
  const nest = `"nested":${'['.repeat(100_000)}${']'.repeat(100_000)},`;
  replyWith(response, 200, {}, JSON.stringify(reply?.body ?? { data: [] }).replace('{', `{${nest}`));
}

/** Links that lead to the channel itself, as fixtures name it: every test has another port. */
function atChannel(outcome: PlainOutcome, origin: string): PlainOutcome {
  return JSON.parse(JSON.stringify(outcome).replaceAll(origin, 'https://channel.example'));
}

/** All but the clock. */
const TIMERS = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
];

function contextOf(fixture: Fixture, baseUrl: string, options = fixture.options): CallContext {
  return callContext(baseUrl, options, fixture.model === undefined ? {} : { model: fixture.model });
}

function promptOf({ request, check: asked, cancel: stopped }: Fixture, success: Fixture): string {
  const { prompt, input } = request ?? success.request ?? {};
  return asked || stopped ? '' : String(prompt ?? input ?? '');
}

/** A start, a question about a job, a cancellation, or a lookup, whichever the fixture is of. */
function exchange(
  adapter: Adapter,
  fixture: Fixture,
  { success, baseUrl }: { success: Fixture; baseUrl: string },
): Promise<AnyOutcome> {
  // A fixture without a model or options of its own has those of the success.
  const { model, options } = success;
  const context = contextOf({ ...present({ model, options }), ...fixture }, baseUrl);
  if (fixture.check) return check(adapter, fixture, context);
  if (fixture.cancel) return cancel(adapter, fixture.cancel, context);
  if (!fixture.lookup) return adapter.start(startRequest(fixture, success), context);
  if (!adapter.lookup) throw new Error('a fixture of a lookup that the adapter does not have');
  return adapter.lookup('attempt-1', context);
}

function check(adapter: Adapter, { check: operation }: Fixture, context: CallContext): Promise<CheckOutcome> {
  if (!adapter.check || !operation) throw new Error('a protocol of jobs that cannot be asked about one');
  return adapter.check(operation, context);
}

function cancel({ cancel: stop }: Adapter, operation: JsonObject, context: CallContext): Promise<AnyOutcome> {
  if (!stop) throw new Error('a fixture of a cancellation that the adapter does not have');
  return stop(operation, context);
}

function replyAs({ replies }: Fixture, response: Parameters<Replay>[0], index: number): void {
  const reply = replies[index];
  if (!reply) throw new Error(`request ${index + 1} was not expected`);
  replyWith(response, reply.status, reply.headers, bodyOf(reply));
}

function bodyOf({ body, base64 }: Reply): JsonObject | Buffer {
  return body ?? Buffer.from(base64, 'base64');
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

function isSound(outcome: StartOutcome, answers: Conformance['answers']): boolean {
  if (outcome.kind === 'refused') return outcome.fault.detail !== '';
  if (outcome.kind === 'done') {
    return answers !== 'jobs' && outcome.usage.images === outcome.outputs.length && hasSoundOutputs(outcome);
  }
  if (outcome.kind !== 'started' || answers !== 'jobs') return false;
  const { externalId, operation, checkAfterMs } = outcome;
  const kept = JSON.stringify(operation);
  const isKeptWhole = isDeepStrictEqual(JSON.parse(kept), operation);
  return externalId !== '' && checkAfterMs > 0 && kept.length < OPERATION_MAX_CHARS && isKeptWhole;
}

function hasSoundOutputs({ outputs, usage }: Extract<CheckOutcome, { kind: 'done' }>): boolean {
  const areCounts = Object.values(usage).every((value) => Number.isSafeInteger(value) && value >= 0);
  const haveContent = outputs.every(({ bytes, url }) => (bytes === undefined ? url.length : bytesIn(bytes)) > 0);
  return outputs.length > 0 && areCounts && haveContent;
}
