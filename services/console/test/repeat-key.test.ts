import { RepeatKey } from '../web/src/api/repeat-key';

it('is the same for a body that is sent again, until it was answered', () => {
  const key = new RepeatKey();
  const first = key.for('/v1/images', { prompt: 'a boat' });
  expect(key.for('/v1/images', { prompt: 'a boat' })).toBe(first);
  key.answered();
  expect(key.for('/v1/images', { prompt: 'a boat' })).not.toBe(first);
});

it('is another for another body', () => {
  const key = new RepeatKey();
  const first = key.for('/v1/images', { prompt: 'a boat' });
  expect(key.for('/v1/images', { prompt: 'a ship' })).not.toBe(first);
  expect(key.for('/v1/videos', { prompt: 'a ship' })).not.toBe(first);
});
