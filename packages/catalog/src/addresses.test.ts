import { fieldFailure } from '@mediagate/contracts';
import { addressesAreFiles, pagesAreHttp } from './addresses';

const FILE_ID = `file_${'0'.repeat(26)}`;
const DATA_URL = 'data:image/png;base64,AAAA';

const named = (input: { urls: string[] }) => input.urls.map((url, index) => ({ field: `urls[${index}]`, url }));
const files = (...urls: string[]) => addressesAreFiles(named)({ urls }, new Set());
const pages = (...urls: string[]) => pagesAreHttp(named)({ urls }, new Set());

it('takes http and https addresses of at most 8192 characters', () => {
  const longest = `https://example.com/${'a'.repeat(8192 - 20)}`;
  const right = ['http://example.com', 'HTTPS://EXAMPLE.com/a?b#c', longest];
  expect([files(...right), pages(...right)]).toEqual([undefined, undefined]);
  for (const url of ['', 'example.com', 'ftp://example.com', 'file:///etc/passwd', 'javascript:1', `${longest}a`]) {
    for (const rule of [files, pages]) expect(rule(url)).toMatchObject({ ok: false });
  }
});

it('takes data URLs and the ids of files for files, and not for pages', () => {
  expect(files(FILE_ID, DATA_URL, 'DATA:,a')).toBeUndefined();
  for (const url of [FILE_ID, DATA_URL]) expect(pages(url)).toMatchObject({ ok: false });
  for (const url of [FILE_ID.slice(0, -1), `${FILE_ID}0`, FILE_ID.toUpperCase(), ` ${FILE_ID}`, 'file_x']) {
    expect(files(url)).toMatchObject({ ok: false });
  }
});

it('names every address that is none', () => {
  expect(files('http://a.example', 'b', 'c')).toMatchObject({
    failures: ['urls[1]', 'urls[2]'].map((field) => fieldFailure('invalid_parameter', field, 'must_be_file')),
  });
  expect(pages('b')).toMatchObject({ failures: [fieldFailure('invalid_parameter', 'urls[0]', 'must_be_url')] });
});
