import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createFinisher, taskError } from '@mediagate/billing';
import { LINGERING } from '@mediagate/concurrency';
import { MESSAGES, type TaskId } from '@mediagate/contracts';
import { forAllTests, until } from '@mediagate/testkit';
import { answer, refuses, type Script, says, streams, USAGE } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld } from '../../../../test/text-world';

const world = forAllTests(() => openTextWorld({ times: { lingerMs: LINGER_MS } }));
beforeEach(() => world.api.renewChannels());

/** Long enough for a vendor that answers at once. */
const LINGER_MS = 3000;
const NOTHING = { held: 0n, settled: 0n };
const WHOLE = `${FLASH}:generateContent`;
const STREAM = `${FLASH}:streamGenerateContent?alt=sse`;
/** The prompt of `BODY` is 7 tokens by estimate. */
const estimated = (outputTokens: bigint) => ({ held: 0n, settled: 7n * 300n + outputTokens * 2500n });

/** Begins an answer and then destroys the connection. */
const cutWhole: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"candidates":[');
  setImmediate(() => response.destroy());
};
const hangs: Script = () => undefined;

interface Opened {
  response: IncomingMessage;
  /** The text that came, once the connection has ended; `complete` when the answer was whole. */
  ended: Promise<{ text: string; complete: boolean }>;
  /** Resolves once this has come. */
  until(part: string): Promise<void>;
  leave(): void;
}

/** A call whose connection the test holds; resolves with the status line. */
function open(path: string, key: string): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const call = httpRequest(`${world.api.url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      const ended = new Promise<{ text: string; complete: boolean }>((done) => {
        response.on('error', () => undefined).on('close', () => done({ text, complete: response.complete }));
      });
      const until = async (part: string) => {
        while (!text.includes(part)) await once(response, 'data');
      };
      resolve({ response, ended, until, leave: () => void call.destroy() });
    });
    call.on('error', reject).end(JSON.stringify(BODY));
  });
}

/** Resolves once the vendor has the call. */
async function heard(count: number): Promise<void> {
  await until(() => world.vendor.heard.length >= count, 'the vendor is called');
}

describe('an upstream that breaks off', () => {
  it.each<[string, Script]>([
    ['is cut in the middle', cutWhole],
    ['is no JSON', says('<html>busy</html>')],
    ['is JSON of another kind', says('[1]')],
    ['is empty', says('')],
    ['is an error under the status of a success', says({ error: { code: 500, message: 'vendor secret' } })],
  ])('a whole answer that %s: 502 and a refund', async (_how, script) => {
    const caller = await world.caller();
    world.vendor.next(script);
    const got = await world.api.post(WHOLE, BODY, { key: caller.key });
    expect([got.status, got.body.error.reason]).toEqual([502, 'outcome_unknown']);
    expect(JSON.stringify(got.body)).not.toContain('secret');
    const id = got.headers.get('x-task-id');
    expect(await world.ended(id, caller)).toMatchObject({ status: 'failed' });
    expect(await world.spent(caller)).toEqual(NOTHING);
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
  });

  it.each<[string, Script]>([
    ['before its first event', streams([], (response) => response.destroy())],
    ['with an error for a first event', streams([{ error: { code: 500, message: 'vendor secret' } }])],
    ['without any event', streams([])],
  ])('a stream %s: 502 and a refund', async (_how, script) => {
    const caller = await world.caller();
    world.vendor.next(script);
    const got = await world.api.post(STREAM, BODY, { key: caller.key });
    expect(got.status).toBe(502);
    expect(JSON.stringify(got.body)).not.toContain('secret');
    expect(await world.ended(got.headers.get('x-task-id'), caller)).toMatchObject({ status: 'failed' });
    expect(await world.spent(caller)).toEqual(NOTHING);
  });

  it.each<[string, unknown[], Script, { held: bigint; settled: bigint }]>([
    [
      'by the last figures',
      [answer('So that')],
      streams([answer('So that')], (r) => r.destroy()),
      { held: 0n, settled: COST },
    ],
    [
      'by what came, where there were no figures',
      [answer('twelve bytes', {})],
      streams([answer('twelve bytes', {})], (r) => r.destroy()),
      estimated(3n),
    ],
    [
      'up to an error in the middle, which is not passed on',
      [answer('So that')],
      streams([answer('So that'), { error: { code: 500, message: 'vendor secret' } }, answer('later')]),
      { held: 0n, settled: COST },
    ],
  ])(
    'a stream after its first event: an error comes and the connection is destroyed, and settled %s',
    async (_how, sent, script, spent) => {
      const caller = await world.caller();
      world.vendor.next(script);
      const { response, ended } = await open(STREAM, caller.key);
      const { text, complete } = await ended;
      expect(complete).toBe(false);
      const events = text.split('\r\n\r\n').map((event) => JSON.parse(event.slice('data: '.length) || 'null'));
      const error = { code: 502, status: 'BAD_GATEWAY', reason: 'outcome_unknown', message: MESSAGES.model_broke_off };
      const last = [{ error: { ...error, request_id: expect.any(String) } }, null];
      expect(events).toEqual([...sent.map((data) => ({ code: 200, data })), ...last]);
      const id = String(response.headers['x-task-id']);
      expect(await world.ended(id, caller)).toMatchObject({ status: 'completed' });
      expect(await world.spent(caller)).toEqual(spent);
      expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
    },
  );
});

describe('a channel whose answers break off', () => {
  /** A breaker opens at five counts, and an answer that broke off has three: its beginning, and its end twice. */
  const OPENS_BREAKER = 2;

  /** Makes so many calls in vain; returns which of the two vendors the next call reaches. */
  async function askedAfter(times: number, inVain: () => Promise<void>): Promise<'the first' | 'the second'> {
    for (let count = 0; count < times; count += 1) await inVain();
    const before = world.other.heard.length;
    const caller = await world.caller();
    expect(await world.api.post(WHOLE, BODY, { key: caller.key })).toMatchObject({ status: 200 });
    return world.other.heard.length === before ? 'the first' : 'the second';
  }

  it.each<[string, string, Script]>([
    ['whole ones', WHOLE, cutWhole],
    ['streams, after their first event', STREAM, streams([answer('So that')], (response) => response.destroy())],
    ['streams, with an error in the middle', STREAM, streams([answer('So that'), { error: { code: 500 } }])],
  ])('is passed over, though each of them had begun: %s', async (_what, path, script) => {
    const { key } = await world.caller();
    const inVain = async () => {
      world.vendor.next(script);
      await (await open(path, key)).ended;
    };
    expect(await askedAfter(OPENS_BREAKER, inVain)).toBe('the second');
  });

  it('is asked again where it was the callers who left', async () => {
    const { key } = await world.caller();
    const inVain = async () => {
      world.vendor.next(streams([answer('So that')], () => undefined));
      const { until, leave } = await open(STREAM, key);
      await until('So that');
      leave();
      await world.vendor.heard.at(-1)?.closed;
    };
    expect(await askedAfter(5 * OPENS_BREAKER, inVain)).toBe('the first');
  });
});

/** The next call is answered with this much of a body; what comes then is the test's to say. */
function beginsAnswer(part: string, length: number) {
  let response: ServerResponse | undefined;
  const hasBegun = new Promise<void>((resolve) => {
    world.vendor.next((opened) => {
      response = opened;
      opened.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
      opened.write(part, () => resolve());
    });
  });
  return { hasBegun, response: () => response as ServerResponse };
}

/** Asks for a whole answer, and hangs up once the process has had its beginning. */
async function leaveInTheMiddle({ key }: { key: string }, vendor: ReturnType<typeof beginsAnswer>): Promise<void> {
  const controller = new AbortController();
  const asked = world.api.post(WHOLE, BODY, { key, signal: controller.signal });
  await vendor.hasBegun;
  // The bytes have left the vendor; another whole call through the same process comes after them.
  await world.api.post(`${FLASH}:countTokens`, BODY, { key });
  controller.abort();
  await expect(asked).rejects.toThrow();
}

describe('a caller who leaves', () => {
  /** Hangs up once the vendor has been asked. */
  async function leaveWhileItThinks({ key }: { key: string }, path: string, script: Script): Promise<() => void> {
    const asked = new Promise<() => void>((resolve) => {
      world.vendor.next((response, call) => resolve(() => script(response, call)));
    });
    const controller = new AbortController();
    const answered = world.api.post(path, BODY, { key, signal: controller.signal });
    const vendorAnswers = await asked;
    controller.abort();
    await expect(answered).rejects.toThrow();
    return vendorAnswers;
  }

  it.each<[string, string, Script]>([
    ['a whole answer', WHOLE, says(answer('So that.'))],
    ['a stream, which then ends', STREAM, streams([answer('So that')], () => undefined)],
  ])('while the model thinks, before %s: is settled on what the vendor reports', async (_what, path, script) => {
    const caller = await world.caller();
    (await leaveWhileItThinks(caller, path, script))();
    await world.vendor.heard.at(-1)?.closed;
    const id = await world.onlyTask(caller);
    expect(await world.ended(id, caller)).toMatchObject({ status: 'completed' });
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
  });

  it.each<[string, string, Script]>([
    ['says nothing in time', WHOLE, hangs],
    ['says nothing in time of a stream', STREAM, hangs],
    ['breaks off', WHOLE, (response) => void response.destroy()],
    ['breaks off in the middle', WHOLE, cutWhole],
  ])('while the model thinks, whose vendor %s: pays for what was sent', async (_what, path, script) => {
    const caller = await world.caller();
    (await leaveWhileItThinks(caller, path, script))();
    await world.vendor.heard.at(-1)?.closed;
    const id = await world.onlyTask(caller);
    expect(await world.ended(id, caller)).toMatchObject({ status: 'completed' });
    expect(await world.spent(caller)).toEqual(estimated(0n));
  });

  it('while the model thinks, whose vendor then refuses: is refunded, and no other channel is asked', async () => {
    const caller = await world.caller();
    const { length } = world.other.heard;
    (await leaveWhileItThinks(caller, WHOLE, refuses(429, 'RESOURCE_EXHAUSTED')))();
    const id = await world.onlyTask(caller);
    expect(await world.ended(id, caller)).toMatchObject({ status: 'failed' });
    expect(await world.spent(caller)).toEqual(NOTHING);
    expect(world.other.heard).toHaveLength(length);
  });

  it('with more calls than are waited for: those beyond are stopped at once, and pay for what was sent', async () => {
    const caller = await world.caller();
    const calls = LINGERING.perOwner + 3;
    for (let count = 0; count < calls; count += 1) await leaveWhileItThinks(caller, WHOLE, hangs);
    const { accountId } = caller;
    const ended = { accountId, completedAt: { not: null } };
    await until(async () => (await world.api.database.task.count({ where: ended })) === calls, 'all have ended');
    const { held, settled } = estimated(0n);
    expect(await world.spent(caller)).toEqual({ held, settled: settled * BigInt(calls) });
  });

  it('in the middle of a whole answer: it is read on, and settled on what it says', async () => {
    const caller = await world.caller();
    const text = JSON.stringify(answer('So that they are told apart.'));
    const vendor = beginsAnswer(text.slice(0, 20), text.length);
    await leaveInTheMiddle(caller, vendor);
    vendor.response().end(text.slice(20));
    const id = await world.onlyTask(caller);
    expect(await world.ended(id, caller)).toMatchObject({ status: 'completed' });
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
  });

  it('in the middle of a whole answer that then breaks off: pays for what was sent, because nobody knows what it used', async () => {
    const caller = await world.caller();
    const vendor = beginsAnswer('{"candidate', 1000);
    await leaveInTheMiddle(caller, vendor);
    vendor.response().destroy();
    const id = await world.onlyTask(caller);
    expect(await world.ended(id, caller)).toMatchObject({ status: 'completed' });
    expect(await world.spent(caller)).toEqual(estimated(0n));
  });

  it.each<[string, unknown[], { held: bigint; settled: bigint }]>([
    [
      'the last figures',
      [answer('a'), answer('b', { usageMetadata: { ...USAGE, candidatesTokenCount: 8 } })],
      { held: 0n, settled: COST + 2500n },
    ],
    ['what came', [answer('twelve bytes', {})], estimated(3n)],
    [
      'what came, and the prompt as reported',
      [answer('1234', { usageMetadata: { promptTokenCount: 5 } })],
      { held: 0n, settled: 5n * 300n + 2500n },
    ],
  ])('in the middle of a stream: the call is ended, and settled on %s', async (_what, events, spent) => {
    const caller = await world.caller();
    world.vendor.next(streams(events, () => undefined));
    const { response, until, leave } = await open(STREAM, caller.key);
    await until(JSON.stringify(events.at(-1)));
    leave();
    await world.vendor.heard.at(-1)?.closed;
    const id = String(response.headers['x-task-id']);
    expect(await world.ended(id, caller)).toMatchObject({ status: 'completed' });
    expect(await world.spent(caller)).toEqual(spent);
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: null, detail: 'the caller left' }]);
  });

  it('is not waited for: who does not read holds the vendor back', async () => {
    const caller = await world.caller();
    const event = `data: ${JSON.stringify(answer('x'.repeat(64 * 1024)))}\r\n\r\n`;
    let sent = 0;
    world.vendor.next((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = () => {
        while (!response.destroyed && sent < 1000 && response.write(event)) sent += 1;
        response.once('drain', send);
      };
      send();
    });
    const opened = await open(STREAM, caller.key);
    opened.response.pause();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(sent).toBeLessThan(500);
    opened.leave();
    expect(await world.ended(String(opened.response.headers['x-task-id']), caller)).toMatchObject({
      status: 'completed',
    });
  });
});

it('is leased to the process that answers, and is refunded by whoever takes it over where that is gone', async () => {
  const caller = await world.caller();
  world.vendor.next(hangs);
  const controller = new AbortController();
  const count = world.vendor.heard.length + 1;
  const asked = world.api.post(WHOLE, BODY, { key: caller.key, signal: controller.signal });
  await heard(count);
  const { database } = world.api;
  const task = await database.task.findFirstOrThrow({ where: { accountId: caller.accountId } });
  expect(task).toMatchObject({ status: 'processing', nextStepAt: task.deadlineAt, runBySubmitter: true });
  expect((task.leaseUntil?.getTime() ?? 0) - task.createdAt.getTime()).toBe(15_000);
  expect(task.deadlineAt.getTime() - task.createdAt.getTime()).toBe(600_000);
  expect(await database.findDueTasks([{ family: 'text', after: null }], { graceMs: -590_000, limit: 10 })).toEqual([]);
  expect((await world.spent(caller)).held).toBeGreaterThan(0n);
  // Does what the reconciler does once the lease has lapsed.
  await database.task.update({ where: { id: task.id }, data: { leaseUntil: new Date(0) } });
  expect(await database.findAbandonedTasks(10)).toEqual([{ id: task.id }]);
  const [taken] = await database.takeOverTasks([task.id as TaskId], 60_000);
  expect(taken).toMatchObject({ id: task.id, fence: 1, accountId: caller.accountId });
  const error = taskError('internal_error');
  const ended = {
    taskId: taken?.id ?? 'task_',
    accountId: caller.accountId,
    fence: 1,
    outcome: { kind: 'failed', error },
  } as const;
  expect(await createFinisher(database)(ended)).toMatchObject({ won: true });
  expect(await world.spent(caller)).toEqual(NOTHING);
  // This process reports an end of the task later, which changes nothing.
  controller.abort();
  await expect(asked).rejects.toThrow();
  expect(await world.ended(task.id, caller)).toMatchObject({ status: 'failed', error: { reason: 'internal_error' } });
});
