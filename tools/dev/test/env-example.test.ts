import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** `NAME: { type: …` as settings are declared for `loadConfig`. */
const DECLARATION = /^\s+([A-Z][A-Z0-9_]+): \{\s*type: '/gm;
const LISTED = /^#([A-Z][A-Z0-9_]+)=/gm;

function declared(): string[] {
  return globSync('{packages,services,tools}/*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('generated'))
    .flatMap((file) => namesIn(readFileSync(join(ROOT, file), 'utf8'), DECLARATION));
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

describe('.env.example', () => {
  const listed = namesIn(readFileSync(join(ROOT, '.env.example'), 'utf8'), LISTED);

  it('lists every setting that is declared anywhere', () => {
    expect(declared()).toContain('PORT');
    expect([...new Set(declared())].filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('lists each once', () => {
    expect(listed.filter((name, index) => listed.indexOf(name) !== index)).toEqual([]);
  });
});
