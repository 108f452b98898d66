import { describeAdapterConformance } from '../../test/adapter-conformance';
import { callContext, named, readFixtures, startRequest } from '../../test/fixtures';
import { type ReplayServer, startReplayServer } from '../conformance/replay-server';
import { checkChannelOptions, createAdapters, createHttpClient } from '../index';

const PROTOCOL = 'elevenlabs';

describeAdapterConformance({
  protocol: PROTOCOL,
  basePath: '/v1',
  vendorWords: /eleven/i,
  answers: 'streams',
});

for (const only of ['music', 'sound']) {
  describeAdapterConformance({
    protocol: PROTOCOL,
    basePath: '/v1',
    vendorWords: /eleven/i,
    answers: 'files',
    only,
  });
}

const fixtures = readFixtures(PROTOCOL);
const http = createHttpClient();
let server: ReplayServer | undefined;

afterEach(() => server?.close());
afterAll(() => http.close());

it('a WAV begins with the first samples, while the vendor is still at work', async () => {
  let finish = () => {};
  server = await startReplayServer((response) => {
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    response.write('12');
    finish = () => response.end('34');
  });
  const fixture = named(fixtures, 'wave');
  const context = callContext(`${server.origin}/v1`, fixture.options);
  const started = await createAdapters({ http }).get(PROTOCOL)?.start(startRequest(fixture, fixture), context);
  if (started?.kind !== 'streaming') throw new Error(`no audio: ${started?.kind}`);
  const chunks = started.body[Symbol.asyncIterator]();
  expect(Buffer.from((await chunks.next()).value).toString('latin1')).toMatch(/^RIFF.{40}12$/s);
  finish();
  expect(String((await chunks.next()).value)).toBe('34');
  expect((await chunks.next()).done).toBe(true);
});

it('knows the options of a channel', () => {
  expect(
    checkChannelOptions(PROTOCOL, { voices: { alloy: 'JBFqnCBsd6RMkjVDRZzb' }, timeout_seconds: 600 }),
  ).toBeUndefined();
  expect(checkChannelOptions(PROTOCOL, { voices: ['alloy'] })).toContain('voices');
});
