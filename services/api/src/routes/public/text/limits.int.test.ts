import { forAllTests, until } from '@mediagate/testkit';
import { answer, type Script, streams } from '../../../../test/text-upstream';
import { BODY, FLASH, openTextWorld } from '../../../../test/text-world';

const WHOLE = `${FLASH}:generateContent`;
const STREAM = `${FLASH}:streamGenerateContent?alt=sse`;

const world = forAllTests(() => openTextWorld({ times: { lingerMs: 200 }, maxConcurrency: 1 }));
beforeEach(() => world.api.renewChannels());

const endless = streams([answer('So that')], () => undefined);
const hangs: Script = () => undefined;

/** Calls that the vendors do not end, one of each; resolves when both have theirs. */
async function fill(path: string, script: Script) {
  const { vendor, other } = world;
  const caller = await world.caller();
  const calls = [];
  for (const { heard, next } of [vendor, other]) {
    const count = heard.length + 1;
    next(script);
    const controller = new AbortController();
    const over = expect(world.api.post(path, BODY, { key: caller.key, signal: controller.signal })).rejects.toThrow();
    await until(() => heard.length >= count, 'the vendor is called');
    calls.push({ leave: () => controller.abort(), over });
  }
  return calls;
}

describe('channels whose max_concurrency is in use', () => {
  it.each<[string, string, Script]>([
    ['by models that think', WHOLE, hangs],
    ['by answers that go on', STREAM, endless],
  ])('%s: 503 with Retry-After and a refund, until a caller leaves', async (_how, path, script) => {
    const calls = await fill(path, script);
    const one = await world.caller();
    const heard = world.vendor.heard.length;
    const refused = await world.api.post(WHOLE, BODY, { key: one.key });
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 503, status: 'UNAVAILABLE' } } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(world.vendor.heard).toHaveLength(heard);
    expect(await world.ended(refused.headers.get('x-task-id'), one)).toMatchObject({ status: 'failed' });
    expect(await world.spent(one)).toEqual({ held: 0n, settled: 0n });

    const [first, second] = calls;
    first?.leave();
    await first?.over;
    await world.vendor.heard.at(-1)?.closed;
    expect(await world.api.post(WHOLE, BODY, { key: one.key })).toMatchObject({ status: 200 });
    // One more call passes: the place was given back after the whole answer too.
    expect(await world.api.post(WHOLE, BODY, { key: one.key })).toMatchObject({ status: 200 });
    expect(world.vendor.heard).toHaveLength(heard + 2);

    second?.leave();
    await second?.over;
    await world.quiet();
  });
});
