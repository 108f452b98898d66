import type { Endpoint } from '../contract';
import { publicWords } from './public-words';

const ENDPOINT: Endpoint = {
  channelId: 'text-main',
  baseUrl: 'https://text.vendor.test/v1beta',
  apiKey: 'kx-12',
  model: 'flash-9',
  options: {},
};

it.each([
  ['Please use a valid role: user, model.'],
  [`Invalid JSON payload received. Unknown name "contens": Cannot find field.`],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  ['Invalid value at \'generation_config.temperature\' (TYPE_FLOAT), "warm"'],
])('gives on %j', (words) => {
  expect(publicWords(words, ENDPOINT)).toBe(words);
});

it.each([
  ['nothing', undefined],
  ['only spaces', ' \n '],
  ['the key', 'Not valid: kx-12'],
  ["the vendor's model", 'models/flash-9 is not supported for generateContent.'],
  ["the vendor's name", 'Ask at Google AI Studio.'],
  ["a product of the vendor's", 'Use a Gemini model.'],
  ['a link', 'See https://vendor.example/errors'],
  ['a host', 'Rejected by text.vendor.dev at the edge'],
  ['an address', 'Rejected by 10.1.2.3'],
  ['a project', 'Consumer projects/123 is suspended'],
  ['a number of a project', 'Consumer 123456789012 is suspended'],
  ['a key of another kind', 'Pass a valid API key.'],
  ['an opaque token', `Denied: ${'aB3_'.repeat(10)}`],
  ['a whole document', 'x y '.repeat(200)],
])('keeps back words with %s', (_, words) => {
  expect(publicWords(words, ENDPOINT)).toBeUndefined();
});

it('puts a list of lines, control characters included, on one line', () => {
  expect(publicWords('* contents: required\n*\tparts:\u001b[31m required\n', ENDPOINT)).toBe(
    '* contents: required * parts: [31m required',
  );
});
