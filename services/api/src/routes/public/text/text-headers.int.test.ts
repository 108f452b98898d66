import { forAllTests } from '@mediagate/testkit';
import { BODY, FLASH, openTextWorld, RESERVED } from '../../../../test/text-world';

const world = forAllTests(openTextWorld);

const REQUIRED = Number(RESERVED) / 1e9;

async function generate(headers: Record<string, string>) {
  const caller = await world.caller();
  const answer = await world.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key, headers });
  return { caller, answer };
}

describe('the headers of a text', () => {
  it('X-Metadata is the metadata of its task, also in UTF-8, and the vendor does not see it', async () => {
    const sent = Buffer.from(JSON.stringify({ order: '7', customer: 'Åsa' })).toString('latin1');
    const { caller, answer } = await generate({ 'x-metadata': sent, 'max-cost': String(REQUIRED) });
    expect(answer.status).toBe(200);
    const record = await world.ended(answer.headers.get('x-task-id'), caller);
    expect(record.metadata).toEqual({ order: '7', customer: 'Åsa' });
  });

  it.each([
    ['{"order":7}', 'X-Metadata.order'],
    ['["order"]', 'X-Metadata'],
    ['{"order"', 'X-Metadata'],
    ['{"order":"\\u0000"}', 'X-Metadata'],
  ])('X-Metadata: %s is 400', async (metadata, param) => {
    const { answer } = await generate({ 'x-metadata': metadata });
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });

  it('Max-Cost refuses what can cost more, and reserves nothing', async () => {
    const { caller, answer } = await generate({ 'max-cost': String(REQUIRED - 1e-9) });
    expect([answer.status, answer.body.error]).toMatchObject([
      402,
      { status: 'PAYMENT_REQUIRED', reason: 'max_cost_exceeded', param: 'Max-Cost', required: REQUIRED },
    ]);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 0n });
  });

  it.each(['0', '-1', 'ten', '1e3'])('Max-Cost: %s is 400', async (maxCost) => {
    const { answer } = await generate({ 'max-cost': maxCost });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'Max-Cost']);
  });

  it('are part of the request that an Idempotency-Key stands for', async () => {
    const caller = await world.caller();
    const send = (headers: Record<string, string>) =>
      world.api.post(`${FLASH}:generateContent`, BODY, {
        key: caller.key,
        headers: { 'idempotency-key': 'one', ...headers },
      });
    expect((await send({ 'max-cost': '5' })).status).toBe(200);
    const messages = [(await send({ 'max-cost': '5' })).body, (await send({})).body].map(({ error }) => error.message);
    expect(messages).toEqual([
      'This Idempotency-Key was used before. Answers are not kept, so this one cannot be sent again.',
      'This Idempotency-Key was used before with another request.',
    ]);
  });
});

describe('the price of a text', () => {
  it.each([
    ['by ?dry_run=true', () => [`${FLASH}:generateContent?dry_run=true`, BODY] as const],
    ['of a stream', () => [`${FLASH}:streamGenerateContent?alt=sse&dry_run=true`, BODY] as const],
    [
      'beside what Google’s clients send',
      () =>
        [`${FLASH}:generateContent?dry_run=true&$alt=json;enum-encoding=int&key=x&prettyPrint=false`, BODY] as const,
    ],
    ['by an estimate', () => ['/v1/estimate', { path: `${FLASH}:generateContent`, body: BODY }] as const],
  ])('%s is what it would reserve, and nobody is asked', async (_how, request) => {
    const [path, body] = request();
    const { key, accountId } = await world.caller();
    const asked = world.vendor.heard.length;
    const answer = await world.api.post(path, body, { key });
    expect([answer.status, answer.body.data]).toMatchObject([200, { reserved: REQUIRED, affordable: true }]);
    expect(await world.api.database.task.count({ where: { accountId } })).toBe(0);
    expect(world.vendor.heard.length).toBe(asked);
  });
});
