import { fieldFailure } from '@mediagate/contracts';
import { addressesAreHttp, isHttpUrl } from './addresses';

it('takes http and https addresses of at most 8192 characters', () => {
  const longest = `https://example.com/${'a'.repeat(8192 - 20)}`;
  for (const url of ['http://example.com', 'HTTPS://EXAMPLE.com/a?b#c', longest]) expect(isHttpUrl(url)).toBe(true);
  for (const url of [
    '',
    'example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'data:,a',
    'javascript:1',
    `${longest}a`,
  ]) {
    expect(isHttpUrl(url)).toBe(false);
  }
});

it('names every address that is none', () => {
  const rule = addressesAreHttp((input: { urls: string[] }) =>
    input.urls.map((url, index) => ({ field: `urls[${index}]`, url })),
  );
  expect(rule({ urls: ['http://a.example', 'http://b.example'] }, new Set())).toBeUndefined();
  expect(rule({ urls: ['http://a.example', 'b', 'c'] }, new Set())).toMatchObject({
    failures: ['urls[1]', 'urls[2]'].map((field) => fieldFailure('invalid_parameter', field, 'must_be_url')),
  });
});
