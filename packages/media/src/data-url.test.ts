import { decodeDataUrl } from './data-url';
import { isDataUrl } from './data-url-prefix';

const LIMITS = { field: 'data', maxBytes: 6 };
const problem = (text: string) => {
  try {
    decodeDataUrl({ ...LIMITS, url: text });
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(48)]);

it('an image in base64 without a prefix is read by its bytes; other base64 is no file', () => {
  const bare = PNG.toString('base64');
  expect([isDataUrl(bare), decodeDataUrl({ field: 'data', maxBytes: 64, url: bare })]).toEqual([true, PNG]);
  for (const text of ['A'.repeat(80), 'a fox', 'https://example.com/'.padEnd(90, 'a'), bare.slice(0, 60)]) {
    expect(isDataUrl(text)).toBe(false);
  }
});

describe('decodeDataUrl', () => {
  it.each([
    ['QQ==', 'A'],
    ['QUI=', 'AB'],
    ['QUJD', 'ABC'],
    ['QUJDREVG', 'ABCDEF'],
    ['QQ', 'A'],
    ['QQ=', 'A'],
    ['QUI', 'AB'],
    ['QQ==\n', 'A'],
    ['QUJD\r\nREVG', 'ABCDEF'],
    ['QU\nJ\nD\n', 'ABC'],
    ['fn5-', '~~~'],
    ['Pz8_Pw', '????'],
  ])('decodes %s', (data, text) => {
    expect(decodeDataUrl({ ...LIMITS, url: `data:image/png;base64,${data}` })).toEqual(Buffer.from(text));
  });

  it.each([
    'data:image/jpg;base64,',
    'data:image/PNG;base64,',
    'DATA:image/png;BASE64,',
    'data:;base64,',
    'data:application/octet-stream;base64,',
    'data:text/html;base64,',
    'data:image/png;charset=utf-8;base64,',
    'data:image/png;name=x.png;charset=UTF-8;base64,',
    'data:image/png; base64,',
    'data:image/png;name=my%20image.png;base64,',
    'data:image/png;name="a, b; c.png";base64,',
    'data:image/png;x;base64,',
    `data:image/png;name=${'x'.repeat(600)};base64,`,
  ])('takes %s whatever it declares: the bytes say what the file is', (prefix) => {
    expect(decodeDataUrl({ ...LIMITS, url: `${prefix}QUJD` })).toEqual(Buffer.from('ABC'));
  });

  it('decodes as many megabytes as its limit allows', () => {
    const bytes = Buffer.alloc(30 * 1024 * 1024, 'A');
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    expect(decodeDataUrl({ ...LIMITS, maxBytes: bytes.length, url }).equals(bytes)).toBe(true);
  });

  it.each([
    'data:image/png,QQ==',
    'data: image/png;base64,QQ==',
    'data:image/png;base64QQ==',
    `data:image/${'x'.repeat(1024)};base64,QQ==`,
    'data:',
  ])('wants a prefix that says base64, unlike %s', (text) =>
    expect(problem(text)).toMatch(/^data: A data URL must begin with/),
  );

  it.each(['Q', 'Q===', '====', 'QQ==QQ==', ' QQ==', 'QQ ==', 'Q-_=', 'QR==', 'QUJ=', 'QU%3D', ''])(
    'refuses %j as base64',
    (data) => expect(problem(`data:image/png;base64,${data}`)).toBe('data: The data URL is not valid base64.'),
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

  it('is asked for whatever calls itself data', () => {
    expect(['data:x', 'DATA:x', 'http://data:80/', ''].map(isDataUrl)).toEqual([true, true, false, false]);
  });
});
