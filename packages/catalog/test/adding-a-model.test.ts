import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPriceBook, loadCatalogue } from '../src';
import { describeModel } from './model-conformance';
import { accept, refuse } from './parsing';

const PAGE = readFileSync(join(__dirname, '../../../docs/adding-a-model.md'), 'utf8');
const SOURCES = join(__dirname, '../src');

// The page's model in a copy of the source folder that has no other: links to the real files, and a models folder of its own.
const root = mkdtempSync(join(tmpdir(), 'mediagate-new-model-'));
afterAll(() => rmSync(root, { recursive: true }));
for (const name of readdirSync(SOURCES)) {
  if (name !== 'models') symlinkSync(join(SOURCES, name), join(root, name));
}
symlinkSync(join(__dirname, '../node_modules'), join(root, 'node_modules'));

const [, path = '', code = ''] = /`packages\/catalog\/src\/(models\/\S+\.ts)`\n\n```ts\n([\s\S]*?)```/.exec(PAGE) ?? [];
mkdirSync(join(root, dirname(path)), { recursive: true });
writeFileSync(join(root, path), code);

const catalogue = loadCatalogue({ directory: join(root, 'models') });

it('one new file is one more model', () => {
  expect(catalogue.entries.map(({ id }) => id)).toEqual(['aurora-2']);
  expect(catalogue.find('aurora')?.id).toBe('aurora-2');
});

for (const entry of catalogue.entries) {
  describeModel(entry);

  it('its own rule and prices hold', () => {
    expect(refuse(entry, { prompt: 'A', n: 2, resolution: '4k' }).message).toBe('n must be 1 with resolution 4K');
    const { input } = accept(entry, { prompt: 'A', n: 3 });
    expect(entry.reserve(input, createPriceBook().ratesOf(entry, input))).toBe(120_000_000n);
  });
}
