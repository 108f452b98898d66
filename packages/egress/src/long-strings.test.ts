import fc from 'fast-check';
import { Base64String } from './base64-string';
import { LongStrings, type StringReceiver } from './long-strings';

const LONG_BYTES = 100;

/** Decodes a long string as base64; `#n` stands for the nth. */
class Received implements StringReceiver {
  readonly pieces: Buffer[] = [];
  readonly #base64 = new Base64String((bytes) => this.pieces.push(bytes), { isLenient: true });
  readonly #number: number;

  constructor(number: number, head: Buffer) {
    this.#number = number;
    this.push(head);
  }

  push(content: Buffer): void {
    this.#base64.push(content.toString('latin1'));
  }

  end(): Buffer {
    return Buffer.from(this.#base64.end() ? `#${this.#number}` : 'not base64');
  }
}

function read(text: string, cuts: readonly number[]) {
  const kept: Buffer[] = [];
  const received: Received[] = [];
  const strings = new LongStrings({
    longBytes: LONG_BYTES,
    keep: (bytes) => kept.push(Buffer.from(bytes)),
    receive(head) {
      if (head[0] === '!'.charCodeAt(0)) return undefined;
      received.push(new Received(received.length, head));
      return received.at(-1);
    },
  });
  let rest = Buffer.from(text);
  for (const length of cuts) {
    strings.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  strings.push(rest);
  strings.end();
  return { json: Buffer.concat(kept).toString(), files: received.map(({ pieces }) => Buffer.concat(pieces)) };
}

const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 30 });
const text = fc.string({ unit: 'binary', maxLength: 300 });
/** Ways in which vendors and their imitators write base64 into JSON. */
const SPELLINGS: ((bytes: Buffer) => string)[] = [
  (bytes) => JSON.stringify(bytes.toString('base64')),
  (bytes) => JSON.stringify(bytes.toString('base64')).replaceAll('/', '\\/').replaceAll('+', '\\u002B'),
  (bytes) => JSON.stringify(bytes.toString('base64url')),
  (bytes) => JSON.stringify(bytes.toString('base64').replace(/=+$/, '')),
  (bytes) => JSON.stringify(bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n')),
];

it('leaves what JSON.parse would find, with each long string as a file of its bytes, however it is spelled and cut', () => {
  const bytes = fc.uint8Array({ minLength: LONG_BYTES, maxLength: 1500 });
  fc.assert(
    fc.property(
      bytes,
      text,
      cuts,
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom('', ' ', '\n\t'),
      (sent, words, lengths, spelled, space) => {
        const file = Buffer.from(sent);
        const plain = `!${words}`;
        const json = `{"data":${space}[{"b64_json":${spelled(file)}},${JSON.stringify(plain)}]${space},"\\\\":"\\""}`;
        const { json: left, files } = read(json, lengths);
        expect(JSON.parse(left)).toEqual({ ...JSON.parse(json), data: [{ b64_json: '#0' }, plain] });
        expect(files).toEqual([file]);
      },
    ),
  );
});

it('keeps JSON without long strings to the byte', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), cuts, (json, lengths) => {
      fc.pre(!/"[^"]{90,}/.test(json));
      expect(read(json, lengths)).toEqual({ json, files: [] });
    }),
  );
});

it('says of a long string that is no base64 that it is none', () => {
  for (const content of [`${'A'.repeat(200)}!`, `${'A'.repeat(200)}==AA`, '\\q'.repeat(200), '='.repeat(200)]) {
    expect(read(`["${content}"]`, [50, 120]).json).toBe('["not base64"]');
  }
});
