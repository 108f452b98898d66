import { PassThrough } from 'node:stream';
import type { Exchange } from '../exchange';
import { RequestScope } from '../request-scope';
import { followBody } from './body-bytes';
import type { BodyPace } from './body-pace';

/** A request that begins, and of which nothing more comes. */
const silent = (pace: BodyPace): Exchange =>
  ({
    request: Object.assign(new PassThrough(), { headers: {} }),
    response: { headersSent: false, setHeader: () => undefined },
    memory: { open: () => undefined, take: () => undefined, close: () => undefined, pauseAfter: () => 0 },
    pace,
    outcome: {},
    scope: new RequestScope('request'),
  }) as unknown as Exchange;

it.each<[where: string, more: Partial<BodyPace>, words: string]>([
  ['there is one', { fileLinks: '/v1/files/presign' }, 'ask for a link to write it to: POST /v1/files/presign.'],
  ['there is none', {}, 'The request body arrived too slowly: send at least 16 kB/s.'],
])('a body that comes too slowly is told of another way for large files where %s', async (_where, more, words) => {
  const followed = followBody(silent({ periodMs: 1, ...more }), 100, () => undefined);
  await expect(followed).rejects.toMatchObject({
    code: 'request_timeout',
    message: expect.stringMatching(RegExp(`${words}$`)),
  });
});
