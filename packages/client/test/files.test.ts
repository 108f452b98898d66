import { ApiError, ConnectionError, createClient, type FileContent } from '../src/index.ts';
import { json, lost, type Step, scriptedFetch } from './scripted-fetch.ts';

const LARGE = new Blob([new Uint8Array(9 * 1024 * 1024)], { type: 'video/mp4' });
const RECORD = { id: 'file_1', url: 'https://gateway.example/v1/files/1.mp4?signature=s', kind: 'video' };
const LINK = 'https://storage.example/incoming/1?X-Amz-Signature=secret';
const kept = () => json(200, { code: 200, data: RECORD });
const announced = () =>
  json(200, { data: { id: 'file_1', method: 'PUT', url: LINK, headers: { 'content-length': '9', 'x-a': 'b' } } });
const refused = (status: number, reason: string) => json(status, { error: { reason } });

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

function clientOf(...steps: Step[]) {
  const { fetch, requests } = scriptedFetch(...steps);
  const client = createClient({ baseUrl: 'https://gateway.example', apiKey: 'mg_key', fetch });
  /** `POST /v1/files`, and whether it had the key. */
  const calls = () =>
    requests.map(({ method, url, headers }) => {
      const { host, pathname } = new URL(url);
      const key = headers.get('authorization') === 'Bearer mg_key' ? 'with the key' : 'without it';
      return `${method} ${host === 'gateway.example' ? pathname : host}, ${key}`;
    });
  return { client, requests, calls };
}

/** The outcome, with all pauses passed over. */
async function outcome<T>(work: Promise<T>): Promise<T | Error> {
  let settled = false;
  const ended = work
    .catch((error: Error) => error)
    .finally(() => {
      settled = true;
    });
  while (!settled) await jest.advanceTimersByTimeAsync(1_000);
  return ended;
}

const FORM = 'POST /v1/files, with the key';
const ANNOUNCED = 'POST /v1/files/presign, with the key';
const WRITTEN = 'PUT storage.example, without it';

const BYTES = new TextEncoder().encode('a small file');
it.each<[what: string, content: () => FileContent]>([
  ['a Blob', () => new Blob([BYTES])],
  ['bytes', () => BYTES],
  ['a buffer', () => BYTES.buffer],
  ['a stream', () => new Blob([BYTES]).stream()],
])('%s that is small goes in a form', async (_what, content) => {
  const { client, requests, calls } = clientOf(kept());
  expect(await outcome(client.uploadFile(content()))).toEqual(RECORD);
  expect(calls()).toEqual([FORM]);
  const file = (await requests[0]?.formData())?.get('file') as File;
  expect(await file.text()).toBe('a small file');
});

it('a large file goes to the storage, without the key, and is judged then', async () => {
  const { client, requests, calls } = clientOf(announced(), new Response(), kept());
  expect(await outcome(client.uploadFile(LARGE))).toEqual(RECORD);
  expect(calls()).toEqual([ANNOUNCED, WRITTEN, 'POST /v1/files/file_1/complete, with the key']);
  const [announcement, written] = requests;
  expect(await announcement?.json()).toEqual({ bytes: LARGE.size });
  expect([written?.url, written?.headers.get('x-a'), (await written?.blob())?.size]).toEqual([LINK, 'b', LARGE.size]);
});

it.each<[why: string, steps: Step[], before: string[]]>([
  ['the gateway has no link for it', [refused(409, 'direct_upload_unavailable')], [ANNOUNCED]],
  ['the storage cannot be reached', [announced(), lost(), lost()], [ANNOUNCED, WRITTEN, WRITTEN]],
])('a large file goes in a form where %s', async (_why, steps, before) => {
  const { client, calls } = clientOf(...steps, kept());
  expect(await outcome(client.uploadFile(LARGE))).toEqual(RECORD);
  expect(calls()).toEqual([...before, FORM]);
});

it.each<[who: string, steps: Step[], error: object]>([
  ['the gateway announces nothing', [refused(429, 'quota')], { status: 429, reason: 'quota' }],
  ['the storage refuses', [announced(), new Response('<Error/>', { status: 403 })], { status: 403, reason: undefined }],
  [
    'the file is found to be bad',
    [announced(), new Response(), refused(400, 'bad_media')],
    { status: 400, reason: 'bad_media' },
  ],
])('an upload fails as an answer of its own where %s', async (_who, steps, error) => {
  const { fetch } = scriptedFetch(...steps);
  const client = createClient({ baseUrl: 'https://gateway.example', apiKey: 'mg_key', fetch, maxRetries: 0 });
  const failed = await outcome(client.uploadFile(LARGE));
  expect(failed).toBeInstanceOf(ApiError);
  expect(failed).toMatchObject(error);
});

it('a link is read without the key, again after a failure, and says when it is over', async () => {
  const { client, calls } = clientOf(lost(), new Response('bytes'), refused(410, 'gone'));
  const answer = (await outcome(client.downloadFile(RECORD.url))) as Response;
  expect(await answer.text()).toBe('bytes');
  const read = 'GET /v1/files/1.mp4, without it';
  expect(await outcome(client.downloadFile(RECORD.url))).toMatchObject({ status: 410, reason: 'gone' });
  expect(calls()).toEqual([read, read, read]);
});

it('no error shows a link with its signature', async () => {
  const { client } = clientOf(lost(), lost(), lost(), lost());
  const error = (await outcome(client.downloadFile(RECORD.url))) as Error;
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toBe('GET https://gateway.example/v1/files/1.mp4 has no answer: TypeError: fetch failed');
});
