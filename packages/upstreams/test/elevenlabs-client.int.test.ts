import { join } from 'node:path';
import { askClient } from '@mediagate/testkit';
import { type ReplayServer, replayReplies } from '../src/conformance/replay-server';
import { API_KEY, named, readFixtures } from './fixtures';

/*
 * The vendor's own client as a judge of `elevenlabs`: for the same wishes it must send what the adapter sends, and it must read the
 * fixtures' answers as the adapter does. It takes seconds to load, so that one program makes all the calls; the simulator's tests run
 * it, too.
 */

const CLIENT = join(__dirname, '../../../simulator/test/elevenlabs-client.mjs');
const fixtures = readFixtures('elevenlabs');
let server: ReplayServer;

afterEach(() => server.close());

const TEXT = 'The lighthouse keeper counts the ships twice.';
const speech = { method: 'speech', voice: 'JBFqnCBsd6RMkjVDRZzb', text: TEXT, modelId: 'vendor-model' };

const WISHES: readonly (readonly [string, object])[] = [
  ['success', { ...speech, outputFormat: 'mp3_44100_128', voiceSettings: { speed: 1.1 } }],
  ['opus', { ...speech, outputFormat: 'opus_48000_64' }],
  ['pcm', { ...speech, outputFormat: 'pcm_24000' }],
  [
    'music',
    {
      method: 'music',
      outputFormat: 'mp3_44100_128',
      prompt: 'A slow waltz, the harbour at night',
      musicLengthMs: 12_000,
      forceInstrumental: true,
      modelId: 'music_v2',
    },
  ],
  [
    'sound',
    {
      method: 'sound',
      outputFormat: 'mp3_44100_128',
      text: 'Rain on a tin roof',
      durationSeconds: 0.5,
      loop: true,
      modelId: 'eleven_text_to_sound_v2',
    },
  ],
  ['bad-request', speech],
  ['quota', speech],
  ['rate-limited', speech],
];

it('the client sends what the adapter sends, and reads the answers as the adapter does', async () => {
  const wanted = WISHES.map(([name]) => named(fixtures, name));
  server = await replayReplies(...wanted.map(({ replies }) => replies[0]));
  const wishes = JSON.stringify(WISHES.map(([, wish]) => wish));
  const read = await askClient<object[]>(CLIENT, server.origin, API_KEY, wishes);
  expect(server.received).toHaveLength(wanted.length);
  for (const [
    index,
    {
      wire: [sent] = [],
      replies: [reply],
      outcome,
    },
  ] of wanted.entries()) {
    const received = server.received[index];
    if (sent) {
      expect(received).toMatchObject({ method: 'POST', path: sent.path, headers: { 'xi-api-key': API_KEY } });
      expect(JSON.parse(String(received?.body))).toEqual(sent.json);
    }
    const heard = { base64: reply?.base64, credits: reply?.headers['character-cost'] ?? null };
    const said = { error: { statusCode: reply?.status, body: reply?.body } };
    expect(read[index]).toMatchObject(outcome.kind === 'refused' ? said : heard);
  }
});
