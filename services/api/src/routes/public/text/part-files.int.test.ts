import type { JsonObject } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { wavOf } from '../../../../test/test-files';
import { pngOf } from '../../../../test/test-images';
import { FLASH, openTextWorld } from '../../../../test/text-world';

const world = forAllTests(openTextWorld);
afterEach(() => world.quiet());

const MODEL = 'text-2.5-flash';
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const FILES = {
  nothing: ['image/png', 'AAAA'],
  heic: ['image/jpeg', base64('\0\0\0\x1cftypheic\0\0\0\0')],
  gif: ['image/gif', base64('GIF89a\x01\0\x01\0')],
  tiff: ['image/tiff', base64('II*\0\x08\0\0\0')],
  avif: ['image/avif', base64('\0\0\0\x1cftypavif\0\0\0\0')],
  broken: ['image/png', `${pngOf(8, 8).toString('base64')}!!`],
  png: ['image/jpeg', pngOf(8, 8).toString('base64')],
  wav: ['audio/mpeg', wavOf(1).toString('base64')],
} as const;
const ACCEPTED = 'accepted are image/png, image/jpeg, image/webp, image/heic, image/heif.';
const CONVERT = 'Convert it to JPEG or PNG.';
const SEND_FIRST = 'Send it to /v1/files first, where it becomes one of these, and give its id.';

interface Surface {
  path: string;
  field: string;
  /** Where images go that an upload converts. */
  converted: string;
  body(type: string, data: string): JsonObject;
}

const said = [{ text: 'What is this?' }];
const native = (name: string, type: string): Pick<Surface, 'field' | 'converted' | 'body'> => ({
  field: `contents[0].parts[1].${name}.data`,
  converted: CONVERT,
  body: (mimeType, data) => ({ contents: [{ parts: [...said, { [name]: { [type]: mimeType, data } }] }] }),
});
const SURFACES: Record<string, Surface> = {
  'chat completions': {
    path: '/openai/v1/chat/completions',
    field: 'messages[0].content[1].image_url.url',
    converted: SEND_FIRST,
    body: (type, data) => {
      const image = { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
      return { model: MODEL, messages: [{ role: 'user', content: [{ type: 'text', ...said[0] }, image] }] };
    },
  },
  responses: {
    path: '/openai/v1/responses',
    field: 'input[0].content[0].image_url',
    converted: SEND_FIRST,
    body: (type, data) => {
      const content = [{ type: 'input_image', image_url: `data:${type};base64,${data}` }];
      return { model: MODEL, input: [{ role: 'user', content }] };
    },
  },
  'the native endpoint': { path: `${FLASH}:generateContent`, ...native('inlineData', 'mimeType') },
  'the same in the wire’s names': { path: `${FLASH}:generateContent`, ...native('inline_data', 'mime_type') },
  'the same for Google’s clients': { path: `/gemini${FLASH}:generateContent`, ...native('inlineData', 'mimeType') },
};
const surfaces = Object.keys(SURFACES);

async function ask(surface: string, file: keyof typeof FILES) {
  const { path, body, field, converted } = SURFACES[surface] as Surface;
  const { key } = await world.caller();
  const [type, data] = FILES[file];
  return { ...(await world.api.post(path, body(type, data), { key })), field, converted };
}

describe.each(surfaces)('a file in the body of %s', (surface) => {
  it.each<[file: keyof typeof FILES, problem: (converted: string) => string]>([
    ['nothing', () => `: The file is of an unknown type; ${ACCEPTED}`],
    ['gif', (converted) => `: The file is image/gif; ${ACCEPTED} ${converted}`],
    ['tiff', () => `: The file is image/tiff; ${ACCEPTED} ${CONVERT}`],
    ['avif', (converted) => `: The file is image/avif; ${ACCEPTED} ${converted}`],
    ['broken', () => ' must be base64'],
  ])('is refused by its field where its bytes are %s, before anything is booked', async (file, problem) => {
    const seen = async () => [await world.api.database.task.count(), world.vendor.heard.length];
    const before = await seen();
    const { status, body, field, converted } = await ask(surface, file);
    expect([status, body.error.param, body.error.message]).toEqual([400, field, `${field}${problem(converted)}`]);
    expect(await seen()).toEqual(before);
  });

  it.each<[file: keyof typeof FILES, type: string]>([
    ['png', 'image/png'],
    ['heic', 'image/heic'],
    ['wav', 'audio/wav'],
  ])('is called what its bytes say: %s', async (file, mimeType) => {
    expect((await ask(surface, file)).status).toBe(200);
    const { contents } = JSON.parse(world.vendor.heard.at(-1)?.body ?? '{}');
    const { inlineData, inline_data } = contents[0].parts.at(-1);
    expect(inlineData ?? inline_data).toEqual({ mimeType, data: FILES[file][1] });
  });
});

it('a body whose files are called what they are goes on to the byte', async () => {
  const { key } = await world.caller();
  const sent = '{ "contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}]}] }';
  const headers = { 'content-type': 'application/json' };
  expect((await world.api.post(`${FLASH}:generateContent`, sent, { key, headers })).status).toBe(200);
  expect(world.vendor.heard.at(-1)?.body).toBe(sent);
});

it('a sound that is none is refused by its field', async () => {
  const { key } = await world.caller();
  const content = [{ type: 'input_audio', input_audio: { data: FILES.png[1], format: 'wav' } }];
  const body = { model: MODEL, messages: [{ role: 'user', content }] };
  const { status, body: got } = await world.api.post('/openai/v1/chat/completions', body, { key });
  expect([status, got.error.param]).toEqual([400, 'messages[0].content[0].input_audio.data']);
  expect(got.error.message).toMatch(/The file is image\/png; accepted are audio\//);
});
