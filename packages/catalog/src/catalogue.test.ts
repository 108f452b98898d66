import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPriceBook, loadCatalogue } from './index';

const root = mkdtempSync(join(tmpdir(), 'mediagate-catalogue-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;

/** A folder of model files, by path and text. */
function folder(files: Record<string, string>): string {
  folders += 1;
  const directory = join(root, String(folders));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

function model({
  id,
  aliases = [],
  operation = 'images.generations',
}: {
  id: string;
  aliases?: string[];
  operation?: string;
}): string {
  const definition = JSON.stringify({
    id,
    aliases,
    family: 'image',
    operation,
    version: 1,
    input: { type: 'object', properties: { prompt: { type: 'string' } } },
    rules: [],
    prices: { per_image: 0.1 },
    deadlineMinutes: 1,
    resultLifetimeHours: 1,
    examples: [],
  });
  return `exports.default = require(${JSON.stringify(join(__dirname, 'index.ts'))}).defineModel(${definition});`;
}

const load = (files: Record<string, string>) => loadCatalogue({ directory: folder(files) });

it('ships its models, ordered by id, each with rates', () => {
  const catalogue = loadCatalogue();
  expect(catalogue.modelIds).toEqual([...new Set(catalogue.entries.map(({ id }) => id))].sort());
  expect(catalogue.modelIds).toEqual(
    expect.arrayContaining(['imageseed-4.0', 'musicgen', 'text-2.5-pro', 'videoe-v3']),
  );
  expect(catalogue.billingKeys.get('imageseed-4.0')).toEqual(new Set(['per_image']));
  for (const entry of catalogue.entries) {
    expect(Object.values(createPriceBook().listOf(entry)).some((rate) => rate > 0n)).toBe(true);
  }
});

it('finds models by id and alias, and nothing by names it does not have', () => {
  const catalogue = loadCatalogue();
  expect(catalogue.find('imagefast-ext')?.id).toBe('imagefast-2.5-flash-image-preview');
  for (const name of ['', 'imagegen', '__proto__', 'constructor']) expect(catalogue.find(name)).toBeUndefined();
});

it('reads models at any depth, and only models', () => {
  const { entries } = load({
    'image/b-1.ts': model({ id: 'b-1' }),
    'a-1.5.ts': model({ id: 'a-1.5' }),
    'image/b-1.test.ts': 'throw new Error("a test")',
    'image/b-1.d.ts': 'nonsense',
    'image/b-1.js.map': '{}',
    'README.md': 'nonsense',
  });
  expect(entries.map(({ id }) => id)).toEqual(['a-1.5', 'b-1']);
});

it('refuses a file that is not named after its model', () => {
  expect(() => load({ 'image/a-2.ts': model({ id: 'a-1' }) })).toThrow(
    /image\/a-2\.ts: the file must be named after its model, a-1, or a-1\/generations$/,
  );
});

it('refuses a name that two models have, as id or alias, in any letter case', () => {
  const twice = { 'x/a.ts': model({ id: 'a' }), 'y/a.ts': model({ id: 'a' }) };
  expect(() => load(twice)).toThrow('Two models are called a: a and a');
  const alias = { 'a.ts': model({ id: 'a' }), 'b.ts': model({ id: 'b', aliases: ['A'] }) };
  expect(() => load(alias)).toThrow('Two models are called A: a and b');
});

it('names the file that is not a model or cannot be loaded', () => {
  expect(() => load({ 'image/empty.ts': '' })).toThrow(/image\/empty\.ts: export default defineModel\(\{ \.\.\. \}\)$/);
  expect(() => load({ 'image/broken.ts': 'throw new Error("broken")' })).toThrow(
    /image\/broken\.ts: the model cannot be loaded: broken$/,
  );
});

it('compiles its schemas when asked to, and names the model whose schema is refused', () => {
  expect([...loadCatalogue().compile()]).not.toHaveLength(0);
  const misspelt = model({ id: 'a' }).replace('"type":"string"', '"type":"string","maxLenght":5');
  const catalogue = load({ 'a.ts': misspelt });
  expect(() => [...catalogue.compile()]).toThrow(
    'a images.generations: the schema is refused: strict mode: unknown keyword: "maxLenght"',
  );
});

describe('a model of several operations', () => {
  const files = {
    'x/pen/write.ts': model({ id: 'pen', aliases: ['biro'], operation: 'pen.write' }),
    'x/pen/draw.ts': model({ id: 'pen', aliases: ['biro'], operation: 'pen.draw' }),
    'a.ts': model({ id: 'a' }),
  };

  it('is a folder named after it, with a file named after each', () => {
    const { entries, modelIds } = load(files);
    expect(entries.map(({ id, operation }) => [id, operation])).toEqual([
      ['a', 'images.generations'],
      ['pen', 'pen.draw'],
      ['pen', 'pen.write'],
    ]);
    expect(modelIds).toEqual(['a', 'pen']);
  });

  it('is found by name and operation, and without one as its first', () => {
    const catalogue = load(files);
    expect(catalogue.find('BIRO', 'pen.write')?.operation).toBe('pen.write');
    expect(catalogue.find('pen')?.operation).toBe('pen.draw');
    expect(catalogue.find('pen', 'images.generations')).toBeUndefined();
    expect(catalogue.find('a', 'pen.write')).toBeUndefined();
  });

  it('has each operation once', () => {
    expect(() => load({ ...files, 'y/pen/draw.ts': model({ id: 'pen', operation: 'pen.draw' }) })).toThrow(
      'Two models are called pen: pen and pen',
    );
  });

  it('refuses a file that is in no folder of its name, or named after another operation', () => {
    const draw = model({ id: 'pen', operation: 'pen.draw' });
    expect(() => load({ 'pencil/draw.ts': draw })).toThrow(/must be named after its model, pen, or pen\/draw$/);
    expect(() => load({ 'pen/sketch.ts': draw })).toThrow(/must be named after its model, pen, or pen\/draw$/);
  });
});
