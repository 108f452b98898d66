import fc from 'fast-check';
import { decodeDataUrl } from './data-url';
import { DataUrlReader } from './data-url-reader';

const LIMITS = { field: 'data', maxBytes: 1_000_000 };

/** Decodes a JSON string's content that arrives in pieces of these lengths; undefined: it is no data URL, or not base64. */
function read(content: string, pieces: readonly number[]): Buffer | undefined {
  const bytes: Buffer[] = [];
  const [head = content.length, ...rest] = pieces;
  const reader = DataUrlReader.begin(content.slice(0, head), (chunk) => bytes.push(chunk));
  let at = head;
  for (const length of rest) {
    reader?.push(content.slice(at, at + length));
    at += length;
  }
  reader?.push(content.slice(at));
  return reader?.end() ? Buffer.concat(bytes) : undefined;
}

function readWhole(url: string): Buffer | undefined {
  try {
    return decodeDataUrl({ ...LIMITS, url });
  } catch {
    return undefined;
  }
}

const PREFIX = 'data:image/png;base64,';
/** Where JSON writers differ: PHP escapes slashes, .NET plus signs, Gson equals signs. */
const ESCAPES: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('/', '\\/'),
  (text) => text.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
];
const pieces = fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 8 });
const longEnough = (lengths: readonly number[]) => [Math.max(60, lengths[0] ?? 60), ...lengths.slice(1)];

it('decodes what decodeDataUrl decodes, however it is escaped and cut', () => {
  const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 30_000 });
  fc.assert(
    fc.property(anyBytes, pieces, fc.constantFrom(...ESCAPES), (sent, lengths, escaped) => {
      const url = `${PREFIX}${Buffer.from(sent).toString('base64')}`;
      expect(read(escaped(url), longEnough(lengths))).toEqual(Buffer.from(sent));
    }),
  );
});

it('takes and refuses what decodeDataUrl does, wherever it stands', () => {
  const wrong = fc.constantFrom(
    '=',
    '==',
    '-',
    '_',
    ' ',
    '\n',
    '%3D',
    'é',
    '====',
    'Q',
    'QQ',
    '\\\\',
    '\\u0000',
    '\\n',
    '\\r\\n',
  );
  const base64 = fc.base64String({ maxLength: 20_000 });
  fc.assert(
    fc.property(base64, wrong, fc.nat(20_000), pieces, (text, fault, at, lengths) => {
      const content = `${PREFIX}${text.slice(0, at)}${fault}${text.slice(at)}`;
      const resolved = content
        .replaceAll('\\\\', '\\')
        .replaceAll('\\u0000', '\0')
        .replaceAll('\\r', '\r')
        .replaceAll('\\n', '\n');
      expect(read(content, longEnough(lengths))).toEqual(readWhole(resolved));
    }),
  );
});

it.each(['', 'QR==', 'QUJ=', 'Q===', 'QQ==QQ=='])('refuses %j as base64', (text) => {
  expect(read(`${PREFIX}${text}`, [])).toBeUndefined();
});

it.each(['data:image/png,QQ==', 'hello', `data:a/${'x'.repeat(1100)};base64,QQ==`])(
  'takes no other text for one, as %j',
  (text) => expect(DataUrlReader.begin(text, () => undefined)).toBeUndefined(),
);
