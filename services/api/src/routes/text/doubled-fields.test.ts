import { refuseDoubleMeaning } from './doubled-fields';

function judge(text: string): void {
  refuseDoubleMeaning(Buffer.from(text), JSON.parse(text));
}

const refusal = (param: string) => expect.objectContaining({ code: 'invalid_request', param });

describe('a body that goes on to the byte', () => {
  it.each<[string, string, string]>([
    ['a field twice', '{"a":1,"b":2,"a":3}', 'a'],
    ['the same below', '{"x":[{"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":9}}]}', 'maxOutputTokens'],
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
      expect(() => judge(once)).not.toThrow();
      const [first] = Object.keys(JSON.parse(once));
      const twice = `{${JSON.stringify(first)} : 0,${once.trim().slice(1)}`;
      expect(() => judge(twice)).toThrow(refusal(String(first)));
    }
  });
});
