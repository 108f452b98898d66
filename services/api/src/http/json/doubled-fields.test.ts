import { refuseDoubleMeaning } from './doubled-fields';
import { JsonReader } from './json-reader';

function read(text: string) {
  const reader = new JsonReader(
    { maxBytes: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY, takesFiles: false },
    { takeMemory: () => undefined },
  );
  reader.push(Buffer.from(text));
  return reader.end();
}

function judge(text: string): void {
  refuseDoubleMeaning(read(text), JSON.parse(text));
}

const refusal = (param: string) => expect.objectContaining({ code: 'invalid_request', param });

describe('a body that goes on to the byte', () => {
  it.each<[string, string, string]>([
    ['a field twice', '{"a":1,"b":2,"a":3}', 'a'],
    [
      'the same below',
      '{"x":[{},[1,"a,b",{"c":[]}],{"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":9}}]}',
      'x[2].generationConfig.maxOutputTokens',
    ],
    ['the same far below', `${'{"abcdefghi":'.repeat(25)}{"b":1,"b":2}${'}'.repeat(25)}`, 'b'],
    ['in other characters', '{"maxOutputTokens":1,"\\u006daxOutputTokens":9}', 'maxOutputTokens'],
    ['with values alike', '{"a":{},"a":{}}', 'a'],
    ['beside strings that look like fields', '{"a":"\\\\","b":"\\",\\"c\\":","b":0}', 'b'],
    ['apart by space', '{"é" : 1, "é"\n\t:2}', 'é'],
    ['without a name', '{"":1,"":2}', ''],
  ])('is refused with %s, which the error names', (_what, text, param) => {
    expect(() => judge(text)).toThrow(refusal(param));
  });

  it.each([
    '{}',
    '{"a":{"a":[{"a":1},{"a":2}]}}',
    '{"a":"b:c","d:e":"\\":","f":"\\\\\\":\\\\"}',
    '{"text":"{\\"a\\":1,\\"a\\":2}","灯台":":","\\ud83c\\udf0a":null}',
  ])('is taken where every object has each of its fields once: %s', (text) => {
    expect(() => judge(text)).not.toThrow();
  });

  it('is refused with __proto__ at any depth, which some parsers make a prototype of', () => {
    expect(() => judge('{"__proto__":{"a":1}}')).toThrow(refusal('__proto__'));
    expect(() => judge('{"a":[{"b":{"\\u005f_proto__":1}}]}')).toThrow(refusal('__proto__'));
  });

  describe('of megabytes', () => {
    const MIB = 1024 * 1024;
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => `"${`${index}`.padStart(400, 'x')}":0`);
    const unnamed = expect.objectContaining({
      code: 'invalid_request',
      message: 'A field is given twice in one object.',
      param: undefined,
    });

    it.each<[string, () => string]>([
      ['behind many names', () => `{${names(2000).join(',')},"a":1,"a":2}`],
      ['behind space alone', () => `{"a":1${' '.repeat(MIB)},"a":2}`],
      ['behind many values', () => `{"a":1,"b":[${'0,'.repeat(MIB / 2)}0],"a":2}`],
    ])('is refused with a field twice %s, which is not looked for', (_what, make) => {
      const json = read(make());
      const body = JSON.parse(json.json.toString());
      const parse = jest.spyOn(JSON, 'parse');
      try {
        expect(() => refuseDoubleMeaning(json, body)).toThrow(unnamed);
        const parsedBytes = parse.mock.calls.reduce((sum, [text]) => sum + Buffer.byteLength(text), 0);
        expect(parsedBytes).toBeLessThanOrEqual(256 * 1024);
      } finally {
        parse.mockRestore();
      }
    });

    it.each([
      ['a file', 'x'.repeat(MIB)],
      ['a text with quotes', 'he said \\"no\\"\\n'.repeat(MIB / 16)],
      ['a text that is not Latin', '灯台'.repeat(MIB / 4)],
    ])('is refused with a field twice behind %s, which the error names', (_what, text) => {
      const parts = Array.from({ length: 20 }, () => `{"text":"${text}"}`);
      expect(() => judge(`{"contents":[${parts.join(',')}],"é":1,"é":2}`)).toThrow(refusal('é'));
    });
  });

  it('is refused beyond the limit of nesting, however deep', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}"\\u0000"${'}'.repeat(levels)}`;
    expect(() => judge(nested(32))).not.toThrow();
    for (const levels of [33, 100_000]) {
      expect(() => judge(nested(levels))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
  });

  it('is judged by its parse for any JSON there is', () => {
    const words = ['a', 'b:', '"', '\\', '\\"', ':', '{', 'é', ''];
    let seed = 7;
    const draw = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const word = () => `${words[draw(words.length)]}${words[draw(words.length)]}`;
    // Node 24 may read a name that ends in an escaped quote as one that ends in a backslash; none that has a price does.
    const name = () => `${word()}.`;
    const value = (depth: number): unknown => {
      if (depth > 4) return word();
      if (draw(3) === 0) return Array.from({ length: draw(4) }, () => value(depth + 1));
      return Object.fromEntries(Array.from({ length: draw(5) }, () => [name(), value(depth + 1)]));
    };
    for (let count = 0; count < 500; count += 1) {
      const once = JSON.stringify({ [name()]: value(0) }, undefined, draw(3));
      judge(once);
      const [first] = Object.keys(JSON.parse(once));
      const twice = `{${JSON.stringify(first)} : 0,${once.trim().slice(1)}`;
      expect(() => judge(twice)).toThrow(refusal(String(first)));
    }
  });
});
