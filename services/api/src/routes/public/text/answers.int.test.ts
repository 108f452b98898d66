import { forAllTests } from '@mediagate/testkit';
import { answer, type Script, says, streams, USAGE } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, VENDOR_COST } from '../../../../test/text-world';

const world = forAllTests(() => openTextWorld({ alsoServes: { 'text-2.5-pro': 'vendor-pro' } }));

const CHAT = { model: 'text-2.5-flash', messages: [{ role: 'user', content: 'Why do lighthouses blink?' }] };
const NOTHING = { held: 0n, settled: 0n };
const PIECES = [answer('So that ', {}), answer('they are ', {}), answer('told apart.')];

describe('generateContent', () => {
  it('passes the body on to the byte, and the answer back within {code, data}', async () => {
    const caller = await world.caller();
    const odd =
      '{ "contents":[{"parts":[{"text":"\\u0048i \\ud83c\\udf0a"}]}], "safetySettings": [ ],"unheardOf":{"a":1e2} }';
    const text = '{"candidates" : [ ],"usageMetadata":{"promptTokenCount":1.0e0},"é":"\\u00e9"}';
    world.vendor.next(says(text));
    const { key } = caller;
    const response = await fetch(`${world.api.url}${FLASH}:generateContent`, {
      method: 'POST',
      body: odd,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json; charset=utf-8' },
    });
    expect(await response.text()).toBe(`{"code":200,"data":${text}}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(world.vendor.heard.at(-1)).toMatchObject({
      path: '/v1beta/models/vendor-flash:generateContent',
      body: odd,
      headers: { 'x-goog-api-key': 'vendor-key' },
    });
    expect(JSON.stringify(world.vendor.heard.at(-1)?.headers)).not.toContain(key);
  });

  it('settles what was used, in a task without prompt or result', async () => {
    const caller = await world.caller();
    const { status, headers } = await world.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key });
    expect(status).toBe(200);
    expect(headers.get('ai-disclosure')).toBe('mode=machine-generated, model="text-2.5-flash"');
    const id = headers.get('x-task-id');
    const record = await world.ended(id, caller);
    expect(record).toEqual({
      id,
      status: 'completed',
      progress: 100,
      model: 'text-2.5-flash',
      kind: 'text',
      created: expect.any(Number),
      completed: expect.any(Number),
      actual_time: expect.any(Number),
      cost: 0.000024,
      credits_cost: 0.00024,
      reserved: 0,
      usage: { input_tokens: 5, output_tokens: 9, total_tokens: 14 },
    });
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
    const task = await world.api.database.task.findUniqueOrThrow({ where: { id: String(id) } });
    expect(task).toMatchObject({ family: 'text', operation: 'text.generate', result: null });
    expect(task).toMatchObject({ channelId: 'text-main', attemptsMade: 1 });
    expect(await world.attempts(id)).toMatchObject([
      {
        number: 1,
        channelId: 'text-main',
        protocol: 'gemini',
        state: 'succeeded',
        fault: null,
        detail: null,
        usage: { inputTokens: 5, outputTokens: 9, totalTokens: 14 },
        costNano: VENDOR_COST,
        costOrigin: 'declared',
      },
    ]);
    const where = { taskId: String(id) };
    const kept = await world.api.database.reservation.findUniqueOrThrow({ where });
    // 5 and 9 of a million tokens, in billionths.
    const units = { text_input: '5000', text_output: '9000' };
    expect(kept).toMatchObject({ channelId: 'text-main', costNano: VENDOR_COST, units });
    expect(JSON.stringify(task.input)).toBe('{"method":"generateContent"}');
  });

  it.each(['v1beta', 'v1'])(
    'answers without the wrapper under /gemini/%s, with the key in the vendor’s header',
    async (version) => {
      const caller = await world.caller();
      const headers = { 'x-goog-api-key': caller.key };
      const path = `/gemini/${version}/models/text-2.5-flash:generateContent`;
      const { status, body } = await world.api.post(path, BODY, { headers });
      expect([status, body]).toEqual([200, answer('So that they are told apart.')]);
    },
  );

  it('passes a blocked prompt on, and bills its prompt alone', async () => {
    const caller = await world.caller();
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 6 } };
    world.vendor.next(says(blocked));
    const { status, headers, body } = await world.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key });
    expect([status, body]).toEqual([200, { code: 200, data: blocked }]);
    await world.ended(headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 6n * 300n });
  });

  it('never charges more than was reserved, and writes the rest down as a loss', async () => {
    const caller = await world.caller();
    world.vendor.next(says(answer('x', { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 101 } })));
    const body = { ...BODY, generationConfig: { maxOutputTokens: 100 } };
    const { headers } = await world.api.post(`${FLASH}:generateContent`, body, { key: caller.key });
    const id = headers.get('x-task-id');
    await world.ended(id, caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 7n * 300n + 100n * 2500n });
    const overruns = await world.api.database.overrun.findMany({ where: { taskId: String(id) } });
    expect(overruns).toMatchObject([{ amountNano: 2500n }]);
  });

  it.each([
    ['another model that the channel serves', 'vendor-pro', 5n * 1250n + 9n * 10_000n, null],
    ['a model that nobody knows', 'vendor-flash-lite', COST, null],
    ['a version of the model that was asked', 'models/vendor-flash-2026-04-21', COST, VENDOR_COST],
    ['the model that was asked', 'vendor-flash', COST, VENDOR_COST],
  ])('is billed as %s, where that answered', async (_, modelVersion, charged, vendorCost) => {
    const caller = await world.caller();
    world.vendor.next(says(answer('x', { usageMetadata: USAGE, modelVersion })));
    const { headers } = await world.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key });
    await world.ended(headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: charged });
    const other = vendorCost === null ? { detail: `answered by ${modelVersion}` } : {};
    const attempts = await world.attempts(headers.get('x-task-id'));
    expect(attempts).toMatchObject([{ state: 'succeeded', costNano: vendorCost, ...other }]);
  });

  it('takes 20 MB, and answers of many megabytes', async () => {
    const caller = await world.caller();
    const image = { inlineData: { mimeType: 'image/png', data: `iVBORw0KGgoA${'A'.repeat(15_000_000)}` } };
    const big = answer('x'.repeat(10_000_000));
    world.vendor.next(says(big));
    const body = { contents: [{ parts: [image] }] };
    const { status, body: got } = await world.api.post(`${FLASH}:generateContent`, body, { key: caller.key });
    expect(status).toBe(200);
    expect(got.data).toEqual(big);
    expect(world.vendor.heard.at(-1)?.body).toBe(JSON.stringify(body));
  });
});

describe('an answer of 100,000 levels', () => {
  const nest = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const deep = JSON.stringify(answer('Hello')).replace(
    '{"text"',
    `{"functionCall":{"name":"f","args":{"x":${nest}}}},{"text"`,
  );
  const whole = says(deep);
  const event = says(`data: ${deep}\r\n\r\n`, 200, { 'content-type': 'text/event-stream' });

  it.each<[road: string, path: string, body: object, vendor: Script]>([
    ['whole', `${FLASH}:generateContent`, BODY, whole],
    ['in pieces', `${FLASH}:streamGenerateContent?alt=sse`, BODY, event],
    ['as a chat completion', '/openai/v1/chat/completions', CHAT, whole],
    ['as chunks of a chat completion', '/openai/v1/chat/completions', { ...CHAT, stream: true }, event],
  ])('%s is a fault of the vendor, and costs its caller nothing', async (_road, path, body, vendor) => {
    const caller = await world.caller();
    world.vendor.next(vendor);
    const { status, headers } = await world.api.post(path, body, { key: caller.key });
    expect(status).toBe(502);
    expect(headers.get('ai-disclosure')).toBeNull();
    await world.ended(headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual(NOTHING);
  });
});

describe('streamGenerateContent', () => {
  const EVENTS = PIECES.map((piece) => JSON.stringify(piece));

  it.each([
    ['/v1beta', EVENTS.map((event) => `data: {"code":200,"data":${event}}\r\n\r\n`).join('')],
    ['/gemini/v1beta', EVENTS.map((event) => `data: ${event}\r\n\r\n`).join('')],
  ])('sends events under %s, and settles the figures of the last', async (prefix, expected) => {
    const caller = await world.caller();
    world.vendor.next(streams(PIECES));
    const path = `${prefix}/models/text-2.5-flash:streamGenerateContent?alt=sse`;
    const { headers, body } = await world.api.post(path, BODY, { key: caller.key });
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('ai-disclosure')).toBe('mode=machine-generated, model="text-2.5-flash"');
    expect(body).toBe(expected);
    await world.ended(headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
  });

  it('sends one array where no events were asked for, of the same events', async () => {
    const caller = await world.caller();
    world.vendor.next(streams(PIECES));
    const plain = await world.api.post(`/gemini${FLASH}:streamGenerateContent`, BODY, { key: caller.key });
    expect(plain.body).toEqual(PIECES);
    expect(world.vendor.heard.at(-1)?.path).toBe('/v1beta/models/vendor-flash:streamGenerateContent?alt=sse');
    world.vendor.next(streams(PIECES));
    const wrapped = await world.api.post(`${FLASH}:streamGenerateContent?alt=json`, BODY, { key: caller.key });
    expect(wrapped.body).toEqual(PIECES.map((data) => ({ code: 200, data })));
  });

  it('sends each event as soon as it has come', async () => {
    const { key } = await world.caller();
    let goOn: () => void = () => undefined;
    world.vendor.next(
      streams([PIECES[0]], (response) => {
        goOn = () => void response.end(`data: ${EVENTS[2]}\r\n\r\n`);
      }),
    );
    const response = await fetch(`${world.api.url}${FLASH}:streamGenerateContent?alt=sse`, {
      method: 'POST',
      body: JSON.stringify(BODY),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    expect(Buffer.from(first.value ?? []).toString()).toContain('So that ');
    goOn();
    const second = await reader.read();
    expect(Buffer.from(second.value ?? []).toString()).toContain('told apart.');
    expect((await reader.read()).done).toBe(true);
  });
});

describe('countTokens', () => {
  it('is free, and no task', async () => {
    const caller = await world.caller();
    await world.quiet();
    const rows = await world.api.countRows();
    world.vendor.next(says({ totalTokens: 31 }));
    const wrapped = await world.api.post(`${FLASH}:countTokens`, BODY, { key: caller.key });
    expect([wrapped.status, wrapped.body]).toEqual([200, { code: 200, data: { totalTokens: 31 } }]);
    expect(wrapped.headers.get('x-task-id')).toBeNull();
    world.vendor.next(says({ totalTokens: 31 }));
    const body = { generateContentRequest: { model: 'models/x', ...BODY } };
    expect((await world.api.post(`/gemini${FLASH}:countTokens`, body, { key: caller.key })).body).toEqual({
      totalTokens: 31,
    });
    expect(await world.api.countRows()).toEqual(rows);
    expect(await world.spent(caller)).toEqual(NOTHING);
  });

  it('counts against what a key may ask, not against what it may submit', async () => {
    const { key } = await world.api.createCaller({ submitPerMinute: 1, queryPerMinute: 2 });
    const statuses = [];
    for (const method of ['generateContent', 'countTokens', 'countTokens', 'countTokens', 'generateContent']) {
      statuses.push((await world.api.post(`${FLASH}:${method}`, BODY, { key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('the models under /gemini', () => {
  it('are those that some channel serves, as the vendor’s client reads them', async () => {
    const { key } = await world.caller();
    const { body } = await world.api.get('/gemini/v1beta/models', { headers: { 'x-goog-api-key': key } });
    const names = body.models.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['models/text-2.5-flash', 'models/text-2.5-pro', 'models/imagegen-2']),
    );
    expect(names.filter((name: string) => !/^models\/(?:text|image)/.test(name))).toEqual([]);
    const one = await world.api.get('/gemini/v1beta/models/text-2.5-flash', { key });
    expect(one.body).toMatchObject({ name: 'models/text-2.5-flash', supportedGenerationMethods: expect.any(Array) });
    const none = await world.api.get('/gemini/v1beta/models/videod-02', { key });
    expect([none.status, none.body.error.status]).toEqual([404, 'NOT_FOUND']);
  });
});

it('answers and charges once under one Idempotency-Key, and names the task of the first request to the second', async () => {
  const caller = await world.caller();
  const ask = (body: object) =>
    world.api.post(`${FLASH}:generateContent`, body, { key: caller.key, headers: { 'idempotency-key': 'the-same' } });
  const first = await ask(BODY);
  expect(first.status).toBe(200);
  const id = first.headers.get('x-task-id');
  const heard = world.vendor.heard.length;
  const second = await ask(BODY);
  expect([second.status, second.headers.get('x-task-id')]).toEqual([409, id]);
  expect(second.body).toEqual({
    error: {
      code: 409,
      message: expect.any(String),
      status: expect.any(String),
      reason: 'idempotency_conflict',
      request_id: expect.any(String),
    },
  });
  expect((await ask({ ...BODY, safetySettings: [] })).status).toBe(409);
  expect(world.vendor.heard).toHaveLength(heard);
  await world.ended(id, caller);
  expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
});

it('counts 500 texts at once to the nano-unit', async () => {
  const caller = await world.caller();
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => world.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(500);
  await Promise.all(answers.map(({ headers }) => world.ended(headers.get('x-task-id'), caller)));
  expect(await world.spent(caller)).toEqual({ held: 0n, settled: 500n * COST });
});
