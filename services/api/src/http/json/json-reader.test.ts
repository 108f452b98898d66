import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { CallerFiles } from '../body/caller-files';
import { type JsonLimits, JsonReader } from './json-reader';

/** Files of these tests are too short for the disk. */
const NO_DISK = {} as ConstructorParameters<typeof CallerFiles>[0];
const LIMITS: JsonLimits = { maxBytes: 100_000, maxValues: 1000, takesFiles: true };

function read(text: string | Buffer, cuts: readonly number[] = [], limits: Partial<JsonLimits> = {}) {
  let memory = 0;
  const takeMemory = (bytes: number) => {
    memory += bytes;
  };
  const ofFiles = new CallerFiles(NO_DISK, { take: (bytes) => void takeMemory(bytes) });
  const reader = new JsonReader({ ...LIMITS, ...limits }, { takeMemory, newFile: () => ofFiles.newFile() });
  const bytes = Buffer.from(text as string);
  let at = 0;
  for (const length of cuts) {
    reader.push(Buffer.from(bytes.subarray(at, at + length)));
    at += length;
  }
  reader.push(bytes.subarray(at));
  return { ...reader.end(), memory };
}

const refusal = (run: () => unknown): string => {
  try {
    run();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

/** Any character of Unicode, control characters included; drawing them by `fc.string` takes two seconds of tables first. */
const characters = fc
  .array(fc.oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ min: 0xe000, max: 0x10ffff })), { maxLength: 9000 })
  .map((codes) => String.fromCodePoint(...codes));
const files = fc.uint8Array({ minLength: 4000, maxLength: 20_000 });
const cuts = fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 12 });
const png = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const standIn = (bytes: Buffer) => `data:image/png;base64,${createHash('sha256').update(bytes).digest('base64')}`;

it('keeps JSON to the byte, however it is cut', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), cuts, (text, lengths) => {
      expect(read(text, lengths).json.toString()).toBe(text);
    }),
  );
  fc.assert(
    fc.property(characters, cuts, (long, lengths) => {
      const text = JSON.stringify({ a: `${long}\\"`, b: [long.repeat(3)] });
      expect(read(text, lengths).json.toString()).toBe(Buffer.from(text).toString());
    }),
  );
});

it('takes files out of the stream, and leaves what stands for each, however it is cut', () => {
  return fc.assert(
    fc.asyncProperty(files, cuts, fc.boolean(), async (sent, lengths, asPhp) => {
      const file = Buffer.from(sent);
      const text = JSON.stringify({ a: '\\', data: [png(file), 'x'], b: 'data:short' });
      const { json, files } = read(asPhp ? text.replaceAll('/', '\\/') : text, lengths);
      const url = standIn(file);
      expect(JSON.parse(json.toString())).toEqual({ a: '\\', data: [url, 'x'], b: 'data:short' });
      expect([...files.keys()]).toEqual([url]);
      expect(files.get(url)?.contentType).toBe('image/png');
      expect(await files.get(url)?.file?.end()).toEqual(file);
    }),
  );
});

it('leaves short data URLs, long texts and all of a body without files where they are', () => {
  const text = JSON.stringify([png(Buffer.alloc(3000)), 'data:image/png;base64 '.repeat(1000), 'x'.repeat(9000)]);
  expect(read(text)).toMatchObject({ json: Buffer.from(text), files: new Map() });
  const file = JSON.stringify([png(Buffer.alloc(30_000))]);
  expect(read(file, [], { takesFiles: false })).toMatchObject({ json: Buffer.from(file), files: new Map() });
});

it('says of a file that is no base64 that it is none', () => {
  const { files } = read(JSON.stringify([`${png(Buffer.alloc(9000))} `]));
  expect([...files.values()]).toEqual([{ contentType: 'image/png', bytes: undefined }]);
});

it.each([
  ['{}', '[', ','],
  ['[]', '[', ','],
  ['1', '[', ','],
  ['""', '[', ','],
  ['{"a":{}}', '[', ','],
])('refuses many of %s before they are parsed', (item, open, comma) => {
  const many = `${open}${`${item}${comma}`.repeat(5000)}`;
  expect(refusal(() => read(many))).toBe('The request body holds more than 1000 values.');
});

it.each([true, false])(
  'refuses a long name of a field before it is parsed, however it is cut (files: %s)',
  (takesFiles) => {
    const judge = (name: string, lengths: number[]) =>
      refusal(() => read(`{"a":"${name}${name}","b":[{"${name}" :1}]}`, lengths, { takesFiles }));
    fc.assert(
      fc.property(cuts, (lengths) => {
        expect(judge('x'.repeat(4096), lengths)).toBe('none');
        expect(judge('x'.repeat(4097), lengths)).toBe('The name of a field is longer than 4096 bytes.');
        expect(judge(png(Buffer.alloc(9000)), lengths)).toBe('The name of a field is longer than 4096 bytes.');
      }),
    );
  },
);

it('refuses many names of fields before they are parsed, for their bytes together, however it is cut', () => {
  const bodyOf = (names: number) => {
    const fields = Array.from(
      { length: names },
      (_, index) => `"${String(index).padStart(1024, 'x')}":"${'y'.repeat(90)}"`,
    );
    return `{${fields.join(',')}}`;
  };
  const judge = (names: number, lengths: number[]) =>
    refusal(() => read(bodyOf(names), lengths, { maxBytes: 4_000_000, maxValues: 50_000 }));
  fc.assert(
    fc.property(cuts, (lengths) => {
      expect(judge(1024, lengths)).toBe('none');
      expect(judge(1025, lengths)).toBe('The names of the fields are longer than 1 MB together.');
    }),
    { numRuns: 10 },
  );
});

it('does not count what stands in texts', () => {
  const text = JSON.stringify(['{,[:'.repeat(2000), '\\"{,[', '"'.repeat(2000)]);
  expect(read(text, [7, 1000, 1]).json.toString()).toBe(text);
});

it('refuses nesting beyond the limit before it is parsed', () => {
  expect(refusal(() => read(`${'['.repeat(32)}${']'.repeat(32)}`))).toBe('none');
  expect(refusal(() => read('['.repeat(33)))).toMatch(/^The request body is nested deeper than 32/);
});

it('counts towards the limit what is left without the files, and towards memory what is held', () => {
  const file = Buffer.alloc(200_000, 1);
  const text = JSON.stringify({ data: png(file) });
  expect(read(text, [50_000, 50_000]).memory).toBeLessThan(file.length + 1000);
  expect(refusal(() => read(JSON.stringify({ a: 'x'.repeat(100_000) })))).toMatch(
    /^The request body, apart from files as data URLs, is larger/,
  );
});

it('holds bodies that come byte by byte in little more memory than they have', () => {
  const reader = new JsonReader({ ...LIMITS, maxBytes: 4_000_000 }, { takeMemory: () => undefined });
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 1_000_000; index += 1) reader.push(Buffer.from([0x20]));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
  expect(reader.end().json).toHaveLength(1_000_000);
});
