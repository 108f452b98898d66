import { readSpeechOptions, takeImageOptions } from './client-options';

it.each([
  [undefined, 'b64_json'],
  [null, 'b64_json'],
  ['  ', 'b64_json'],
  ['URL', 'url'],
  [' b64_json ', 'b64_json'],
])('images asked for as %j are answered as %s', (format, answered) => {
  const body = format === undefined ? {} : { response_format: format };
  expect(takeImageOptions(body, { usual: 'b64_json', strict: false }).format).toBe(answered);
});

it.each([undefined, null, '', ' '])('speech asked for as %j is MP3', (format) => {
  const body = format === undefined ? {} : { response_format: format };
  readSpeechOptions(body);
  expect(body).toEqual({ response_format: 'mp3' });
});
