import { createKnownMessages } from './known-messages';
import { LANGUAGES } from './language';
import { readMessageFiles } from './message-files';

const files = readMessageFiles();
const known = createKnownMessages(files);

/** A value for each placeholder, all of them different. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ type: 'video/x-ms-asf', types: 'image/png, image/svg+xml', parameter: 'shots[1].prompt' },
  ...{ resolution: '1080p', ratio: '21:9', name: 'lead_vocal' },
  ...{ bytes: '20971521', limit: '20.5', width: '4001', height: '8001', pages: '51', files: '2001', seconds: '15.06' },
  ...{ output: '11', status: '503', port: '8443' },
};

const fill = (text = '') => text.replace(/\{(\w+)\}/g, (whole, name: string) => VALUES[name] ?? whole);

describe.each(Object.keys(files.en))('%s', (key) => {
  const message = fill(files.en[key]);

  it('is recognised and said in every language with its names and figures', () => {
    expect(message).not.toContain('{');
    for (const language of LANGUAGES) expect(known(message, language)).toBe(fill(files[language][key]));
  });

  it('keeps the fields that it is about', () => {
    for (const fields of ['image_urls[0]', 'video_urls[0], image_with_roles[12].url']) {
      expect(known(`${fields}: ${message}`, 'de')).toBe(`${fields}: ${fill(files.de[key])}`);
    }
  });
});

it.each([
  'The vendor says no.',
  'Task timeout.',
  ' Task timeout',
  'The file has many bytes; at most 20 are accepted.',
  'The server answered 503. Nothing else.',
  'Some words: The file cannot be read.',
  'image_urls[0]: nothing known',
  'constructor',
  '__proto__',
  '',
])('"%s" is none of the platform’s own', (message) => {
  expect(known(message, 'de')).toBeUndefined();
});

it('a message that was made to be hard to match takes no time', () => {
  const startedMs = performance.now();
  for (const repeated of ['a, ', 'image/png, ', 'a.', '1', ': ']) {
    expect(known(`${repeated.repeat(2000 / repeated.length)}!`.slice(-2000), 'de')).toBeUndefined();
    const types = `The file is image/png; accepted are ${repeated.repeat(1900 / repeated.length)}!`;
    expect(known(types, 'de')).toBeUndefined();
  }
  expect(known('x'.repeat(10_000_000), 'de')).toBeUndefined();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});
