import { type AnnouncedEnd, heedEnd } from './announced-end';

const ENDPOINT = { channelId: 'texts', model: 'flash' };
const LONG = 'x'.repeat(1000);

it.each<[what: string, headers: Record<string, string>, expected: Pick<AnnouncedEnd, 'servedUntil' | 'words'>[]]>([
  ['nothing', { 'content-type': 'application/json' }, []],
  [
    'a day on which it ends',
    { sunset: 'Wed, 06 Jan 2027 23:59:59 GMT' },
    [{ servedUntil: '2027-01-06', words: 'Sunset: Wed, 06 Jan 2027 23:59:59 GMT' }],
  ],
  [
    'that it is on its way out',
    { deprecation: '@1795651200' },
    [{ servedUntil: undefined, words: 'Deprecation: @1795651200' }],
  ],
  [
    'both',
    { sunset: '2027-01-06', deprecation: 'true' },
    [{ servedUntil: '2027-01-06', words: 'Sunset: 2027-01-06; Deprecation: true' }],
  ],
  ['no date', { sunset: LONG }, [{ servedUntil: undefined, words: `Sunset: ${LONG.slice(0, 100)}` }]],
])('reports what the headers of an answer say of an end: %s', (_what, headers, expected) => {
  const heard: AnnouncedEnd[] = [];
  heedEnd((end) => heard.push(end), ENDPOINT, headers);
  expect(heard).toEqual(expected.map((end) => ({ ...ENDPOINT, ...end })));
  heedEnd(undefined, ENDPOINT, headers);
});
