import { base64Bytes, count, httpUrl } from './json-guards';

it('decodes base64 of every padding, and refuses what is none', () => {
  for (const length of [1, 2, 3, 4]) {
    const bytes = Buffer.alloc(length, 7);
    expect(base64Bytes(bytes.toString('base64'))).toEqual(bytes);
  }
  expect(['', '!!!!', 'AA AA', 'AAA\nA', '====', 'A', 7, null].map(base64Bytes)).toEqual(Array(8).fill(undefined));
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
