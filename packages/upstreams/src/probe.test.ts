import { seenModels } from './probe';

it.each([
  ['a day', '2027-01-06', '2027-01-06'],
  ['a moment', '2027-01-06T00:00:00Z', '2027-01-06'],
  ['no day of the calendar', '2027-13-41', undefined],
  ['a word', 'soon', undefined],
  ['a day with a long end', `2027-01-06${'0'.repeat(100_000)}`, undefined],
])('the end that a vendor gives for a model is a day or nothing: %s', (_, words, servedUntil) => {
  const [seen] = seenModels(['flare'], new Map([['flare', words]]));
  expect(seen).toEqual({ name: 'flare', known: true, ...(servedUntil === undefined ? {} : { servedUntil }) });
});
