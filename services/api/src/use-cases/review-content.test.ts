import { createChannelChooser } from '@mediagate/channels';
import { createLogger } from '@mediagate/host';
import { type Channel, MODERATION_MODEL } from '@mediagate/settings';
import type { Moderator, Verdict } from '@mediagate/upstreams';
import { testChannel } from '../../test/test-channel';
import { reviewContent } from './review-content';

function reviewer(id: string, more: Partial<Channel> = {}): Channel {
  const models = new Map([[MODERATION_MODEL, `the name at ${id}`]]);
  return testChannel(id, { protocol: 'moderations', models, ...more });
}

const IMAGE = { field: 'image_urls[0]', role: 'image', contentTypes: ['image/png'], maxBytes: 100 } as const;
const DOWN: Verdict = { kind: 'refused', fault: { code: 'upstream_fault', detail: 'down' } };
const PASSED: Verdict = { kind: 'passed' };

/** Reviews over these channels, and which of them were asked, under which name of the model. */
function openReviews(channels: readonly Channel[], answer: (channelId: string) => Verdict) {
  const asked: string[] = [];
  const moderate: Moderator['moderate'] = async (_input, { endpoint }) => {
    asked.push(`${endpoint.channelId}: ${endpoint.model}`);
    return answer(endpoint.channelId);
  };
  const reviewing = {
    moderator: { protocol: 'moderations' as const, moderate },
    channels: createChannelChooser(channels, { random: () => 0.5 }),
    calls: { measure: <Answer>(_call: object, ask: () => Promise<Answer>) => ask() },
    logger: createLogger({ service: 'api', level: 'silent' }),
  };
  return {
    asked,
    review: (...urls: string[]) => {
      const images = urls.map((url) => ({ ...IMAGE, url }));
      return reviewContent(reviewing, { prompt: 'a lake', images }, { isTest: false });
    },
  };
}

const MAIN = reviewer('main');
const SPARE = reviewer('spare', { priority: 2 });

it('a reviewer who gives no verdict is followed by the next, and out of order after five times', async () => {
  const { asked, review } = openReviews([MAIN, SPARE], (id) => (id === 'main' ? DOWN : PASSED));
  for (let count = 0; count < 5; count += 1) await review();
  expect(asked).toHaveLength(10);
  await review();
  expect(asked.slice(10)).toEqual(['spare: the name at spare']);
});

describe('a review that takes too long', () => {
  const LATE: Verdict = { kind: 'refused', fault: { code: 'outcome_unknown', detail: 'no answer: deadline' } };

  it.each([
    ['whose image the vendor has to fetch', 'https://slow.example/1.png', 20],
    ['that brings its image', 'data:image/png;base64,AA', 5],
    ['of words alone', undefined, 5],
  ])('%s', async (_of, url, most) => {
    const { asked, review } = openReviews([MAIN], () => LATE);
    const urls = url === undefined ? [] : [url];
    for (let count = 0; count < 20; count += 1) {
      await expect(review(...urls)).rejects.toMatchObject({ reason: 'review_unavailable' });
    }
    expect(asked).toHaveLength(most);
  });
});

it('reviewers of one priority share the reviews by weight', async () => {
  const { asked, review } = openReviews([reviewer('light'), reviewer('heavy', { weight: 9 })], () => PASSED);
  await review();
  expect(asked).toEqual(['heavy: the name at heavy']);
});

it('a channel of another protocol is not asked, and without any there is no verdict', async () => {
  const { asked, review } = openReviews([reviewer('other', { protocol: 'another' })], () => PASSED);
  await expect(review()).rejects.toMatchObject({ reason: 'review_unavailable' });
  expect(asked).toEqual([]);
});

it('a verdict against the content is nothing against its reviewer', async () => {
  const { asked, review } = openReviews([MAIN], () => ({ kind: 'flagged', categories: ['violence'] }));
  for (let count = 0; count < 20; count += 1) await expect(review()).rejects.toThrow('violence');
  expect(asked).toHaveLength(20);
});
