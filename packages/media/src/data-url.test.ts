import { decodeDataUrl, isDataUrl } from './data-url';

const LIMITS = { field: 'data', maxBytes: 6, contentTypes: ['image/png', 'image/svg+xml'] };
const problem = (text: string) => {
  try {
    decodeDataUrl({ ...LIMITS, url: text });
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('decodeDataUrl', () => {
  it.each([
    ['QQ==', 'A'],
    ['QUI=', 'AB'],
    ['QUJD', 'ABC'],
    ['QUJDREVG', 'ABCDEF'],
  ])('decodes %s', (data, text) => {
    expect(decodeDataUrl({ ...LIMITS, url: `data:image/png;base64,${data}` })).toEqual(Buffer.from(text));
  });

  it('decodes as many megabytes as its limit allows', () => {
    const bytes = Buffer.alloc(30 * 1024 * 1024, 'A');
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    expect(decodeDataUrl({ ...LIMITS, maxBytes: bytes.length, url }).equals(bytes)).toBe(true);
  });

  it.each([
    'data:image/png,QQ==',
    'data:;base64,QQ==',
    'data:image/png;charset=utf-8;base64,QQ==',
    'DATA:image/png;base64,QQ==',
    'data:image/png;BASE64,QQ==',
    'data: image/png;base64,QQ==',
    'data:image/png;base64QQ==',
    `data:image/${'x'.repeat(200)};base64,QQ==`,
    'data:',
  ])('wants the exact prefix, unlike %s', (text) => expect(problem(text)).toMatch(/^data: A data URL must begin with/));

  it.each([
    'QQ',
    'QQ=',
    'Q',
    'Q===',
    '====',
    'QQ==QQ==',
    ' QQ==',
    'QQ==\n',
    'QQ ==',
    'Q-_=',
    'QR==',
    'QUJ=',
    'QU%3D',
    '',
  ])('refuses %j as base64', (data) =>
    expect(problem(`data:image/png;base64,${data}`)).toBe('data: The data URL is not valid base64.'),
  );

  it('refuses by the length of the text, before anything is decoded', () => {
    const decode = jest.spyOn(Buffer, 'from');
    const message = problem(`data:image/png;base64,${'QUJD'.repeat(5_000_000)}`);
    const decoded = decode.mock.calls.length;
    decode.mockRestore();
    expect(message).toBe('data: The data URL holds 15000000 bytes; at most 6 are accepted.');
    expect(decoded).toBe(0);
    expect(problem('data:image/png;base64,QUJDREVGQQ==')).toMatch(/holds 7 bytes; at most 6/);
  });

  it('refuses a declared type that is not accepted', () => {
    expect(problem('data:text/html;base64,QQ==')).toBe(
      'data: The data URL is text/html; accepted are image/png, image/svg+xml.',
    );
  });

  it('is asked for whatever calls itself data', () => {
    expect(['data:x', 'DATA:x', 'http://data:80/', ''].map(isDataUrl)).toEqual([true, true, false, false]);
  });
});
