import { forAllTests } from '@mediagate/testkit';
import { rawPost } from '../../test/raw-post';
import { SMALL_IMAGE, startTestApi } from '../../test/test-api';

const api = forAllTests(startTestApi);

const IMAGES = '/v1/images/generations';

it('a refused flood costs no look at its bodies: they are answered before a byte of them was sent', async () => {
  const { key } = await api.createCaller({ submitPerMinute: 1 });
  const { port } = new URL(api.url);
  const post = () =>
    rawPost({
      port: Number(port),
      path: IMAGES,
      key,
      length: 200_000,
      send: () => undefined,
      headers: { 'Content-Type': 'application/json', Expect: '100-continue' },
    });
  await api.post(IMAGES, SMALL_IMAGE, { key });
  for (let round = 0; round < 5; round += 1) {
    const answer = await post();
    answer.leave();
    expect(answer.text).not.toContain('100 Continue');
    expect(answer.status).toBe(429);
  }
});

/** More than the buffers of a connection take while nobody reads. */
const CHUNKS = 200;
const CHUNK = Buffer.alloc(64 * 1024, ' ');

it.each([
  ['a wrong key', 401, 'none'],
  ['a body too large', 413, undefined],
])('%s is answered to a caller who closes, and sends all of the body before reading', async (_what, status, wrong) => {
  const key = wrong ?? (await api.createCaller()).key;
  let taken = 0;
  let closed: Promise<void> | undefined;
  const answer = await rawPost({
    port: Number(new URL(api.url).port),
    path: IMAGES,
    key,
    length: CHUNKS * CHUNK.length,
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    async send({ socket, write }) {
      closed = new Promise((resolve) => socket.pause().once('close', () => resolve()));
      while (taken < CHUNKS && (await write(CHUNK))) taken += 1;
      socket.resume();
    },
  });
  expect({ status: answer.status, taken }).toEqual({ status, taken: CHUNKS });
  expect(answer.text).toContain('\r\nConnection: close\r\n');
  await closed;
});

it('a body behind a byte order mark is refused by that name', async () => {
  const { key } = await api.createCaller();
  const { status, body } = await api.post(IMAGES, `\ufeff${JSON.stringify(SMALL_IMAGE)}`, {
    key,
    headers: { 'Content-Type': 'application/json' },
  });
  const message = 'The request body begins with a byte order mark; send it without.';
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { message } } });
});
