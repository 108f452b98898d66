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
