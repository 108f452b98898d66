import { join } from 'node:path';
import { askClient } from '@mediagate/testkit';
import { type ReplayServer, replayReplies } from '../src/conformance/replay-server';
import { API_KEY, named, readFixtures } from './fixtures';

/*
 * The vendor's own client as a judge of `replicate`: for the same input it must send what the adapter sends, to the same addresses, and
 * it must read the fixtures' answers as the adapter does.
 */

const CLIENT = join(__dirname, '../../../simulator/test/replicate-client.mjs');
const fixtures = readFixtures('replicate');
let server: ReplayServer;

afterEach(() => server.close());

async function judge(model: string, input: unknown, names: string[], ...more: string[]) {
  server = await replayReplies(...names.flatMap((name) => named(fixtures, name).replies));
  const wish = JSON.stringify(input);
  return askClient<{ ended: { status: string } }>(CLIENT, `${server.origin}/v1`, API_KEY, model, wish, ...more);
}

it.each([
  ['success', 'minimax/hailuo-02'],
  ['edit', 'bytedance/seedream-4'],
  ['version', '0a1b2c3d'.repeat(8)],
])('the client sends what the adapter sends, and reads what came: %s', async (name, model) => {
  const [sent] = named(fixtures, name).wire ?? [];
  const { ended } = await judge(model, sent?.json?.['input'], [name, 'check-done']);
  expect(ended).toMatchObject({ status: 'succeeded', output: 'https://replicate.delivery/xezq/abc/tmp.mp4' });
  const [start, look] = server.received;
  expect(start).toMatchObject({ method: 'POST', path: sent?.path });
  expect(start?.headers['authorization']).toBe(sent?.headers['authorization']);
  expect(JSON.parse(String(start?.body))).toEqual(sent?.json);
  expect(look).toMatchObject({ method: 'GET', path: named(fixtures, 'check-done').wire?.[0]?.path });
});

it('the client cancels where the adapter does', async () => {
  const names = ['success', 'check-canceled', 'check-canceled'];
  expect((await judge('minimax/hailuo-02', { prompt: 'p' }, names, 'cancel')).ended.status).toBe('canceled');
  const { method, path } = named(fixtures, 'cancel-starting').wire?.[1] ?? {};
  expect(server.received[1]).toMatchObject({ method, path });
});
