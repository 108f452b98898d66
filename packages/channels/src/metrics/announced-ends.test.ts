import { createLogger } from '@mediagate/host';
import { createAnnouncedEnds } from './report-days-left';

it('an end that a vendor announces beside each answer is logged once, and again when the vendor changes it', () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const warn = jest.spyOn(logger, 'warn');
  const ends = createAnnouncedEnds(logger);
  const end = { channelId: 'texts', model: 'flash', servedUntil: '2027-01-06' };
  for (const words of ['Sunset: a', 'Sunset: a', 'Sunset: b', 'Sunset: b']) ends.heed({ ...end, words });
  ends.heed({ ...end, model: 'pro', words: 'Sunset: b' });
  expect(warn.mock.calls).toEqual([
    ['channel.ending', { channelId: 'texts', detail: 'flash: Sunset: a' }],
    ['channel.ending', { channelId: 'texts', detail: 'flash: Sunset: b' }],
    ['channel.ending', { channelId: 'texts', detail: 'pro: Sunset: b' }],
  ]);
  expect(ends.list()).toMatchObject([{ model: 'pro' }, { model: 'flash', words: 'Sunset: b' }]);
});
