import { base64Bytes, beginning, count, decimal, httpUrl, identifier, text } from './json-guards';

it('decodes base64 of every padding, and refuses what is none', () => {
  for (const length of [1, 2, 3, 4]) {
    const bytes = Buffer.alloc(length, 7);
    expect(base64Bytes(bytes.toString('base64'))).toEqual(bytes);
  }
  expect(['', '!!!!', 'AA AA', '====', 'A', 7, null].map(base64Bytes)).toEqual(Array(7).fill(undefined));
  expect(['AAA\nA', '__-_', 'AB'].map(base64Bytes)).toEqual(
    [[0, 0, 0], [255, 255, 191], [0]].map((bytes) => Buffer.from(bytes)),
  );
});

it('reads words that can be stored as JSON, and cuts them between characters', () => {
  expect(text('a\ud83d')).toBe('a');
  expect(text('\udd8aa\0b \ud83e\udd8a')).toBe('ab \ud83e\udd8a');
  expect(['', '\0', '\ud83d', 7, null].map(text)).toEqual(Array(5).fill(undefined));
  expect([1, 2, 3, 4].map((length) => beginning('a\ud83e\udd8ab', length))).toEqual([
    'a',
    'a',
    'a\ud83e\udd8a',
    'a\ud83e\udd8ab',
  ]);
});

it('counts whole numbers that are exact', () => {
  expect(count(0)).toBe(0);
  expect([-1, 1.5, Number.NaN, 2 ** 53, '7', null, true].map(count)).toEqual(Array(7).fill(undefined));
});

it('takes http links alone', () => {
  expect(httpUrl('https://host.example/a.png?x=1')).toBe('https://host.example/a.png?x=1');
  const others = ['file:///etc/passwd', 'data:image/png;base64,AA', 'https://', '/a.png', 'https://a b', 7];
  expect(others.map(httpUrl)).toEqual(Array(6).fill(undefined));
});

it('reads lengths as numbers and as text', () => {
  expect([5, 5.04, '5.0', '12', 0].map(decimal)).toEqual([5, 5.04, 5, 12, 0]);
  const others = ['', '5s', '-1', '1e3', ' 5', '0x5', -1, 1e300, Number.NaN, Number.POSITIVE_INFINITY, null, [5]];
  expect(others.map(decimal)).toEqual(Array(others.length).fill(undefined));
});

it('takes ids as text or exact numbers, and nothing that means something in a path of its own', () => {
  expect(['86ecf553-d340', 'Cji7/cGct==', 7].map(identifier)).toEqual(['86ecf553-d340', 'Cji7/cGct==', '7']);
  const others = ['', '.', '..', 'a b', 'a\n', 'x'.repeat(201), -1, 1.5, 2 ** 53, null, {}];
  expect(others.map(identifier)).toEqual(Array(others.length).fill(undefined));
});
