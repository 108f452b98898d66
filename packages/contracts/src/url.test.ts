import { parseUrl } from './url';

/** Enough for the engine to have optimised its caller. */
const TIMES = 20_000;

describe('parseUrl', () => {
  it('reads letters beyond ASCII, however often it is asked', () => {
    const read = Array.from({ length: TIMES }, () => parseUrl('https://bücher.example/café.png')?.href);
    expect(new Set(read)).toEqual(new Set(['https://xn--bcher-kva.example/caf%C3%A9.png']));
  });

  it('reads a relative one by its base, and nothing from what is no URL', () => {
    expect(parseUrl('/b', 'https://a.example/a')?.href).toBe('https://a.example/b');
    expect([parseUrl(''), parseUrl('/b'), parseUrl('https://')]).toEqual([undefined, undefined, undefined]);
  });
});
