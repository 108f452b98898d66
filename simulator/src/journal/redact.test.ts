import { redact } from './redact';

const MEGABYTES = Buffer.alloc(30 * 1024 * 1024, 'A').toString('base64');

describe('what the journal keeps of a request', () => {
  it.each([
    ['a data URL', `data:image/png;base64,${MEGABYTES}`],
    ['bare base64', MEGABYTES],
  ])('is a digest of %s, however many megabytes', (_name, text) => {
    expect(redact({ image: text })).toEqual({
      image: { bytes: 30 * 1024 * 1024, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('is a link without its query', () => {
    expect(redact('https://media.example/a.png?signature=secret')).toBe('https://media.example/a.png?…');
    expect(redact('https://media.example/a.png')).toBe('https://media.example/a.png');
  });

  it('is a text as it was, and the beginning of a long one', () => {
    expect(redact('a red lamp')).toBe('a red lamp');
    expect(redact('a lamp, '.repeat(100_000))).toMatch(/^a lamp, .*…$/);
  });
});
