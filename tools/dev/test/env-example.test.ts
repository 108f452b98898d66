import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** `NAME: { type: …` as settings are declared for `loadConfig`. */
const DECLARATION = /^\s+([A-Z][A-Z0-9_]+): \{\s*type: '/gm;
/** The same with a default. */
const DEFAULT = /^\s+([A-Z][A-Z0-9_]+): \{[^}]*?\bdefault: (?:'([^']*)'|([\d_]+|true|false))/gm;
const LISTED = /^#([A-Z][A-Z0-9_]+)=/gm;
const LISTED_VALUE = /^#([A-Z][A-Z0-9_]+)=(\S+)$/gm;

const SWITCHES: Readonly<Record<string, string>> = { true: '1', false: '0' };

function sources(): string[] {
  return globSync('{packages,services,tools}/*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('generated'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
}

const declared = () => sources().flatMap((text) => namesIn(text, DECLARATION));

/** Services may have defaults of their own for one name. */
function defaults(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = '', text, literal = ''] of sources().flatMap((source) => [...source.matchAll(DEFAULT)])) {
    const value = SWITCHES[literal] ?? literal.replaceAll('_', '');
    found.set(name, [...(found.get(name) ?? []), text ?? value]);
  }
  return found;
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

describe('.env.example', () => {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const listed = namesIn(example, LISTED);

  it('lists every setting that is declared anywhere', () => {
    expect(declared()).toContain('PORT');
    expect([...new Set(declared())].filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('has the defaults that hold', () => {
    const known = defaults();
    expect(known.get('LEASE_SECONDS')).toHaveLength(1);
    const wrong = [...example.matchAll(LISTED_VALUE)].flatMap(([, name = '', value = '']) => {
      const own = known.get(name);
      return own === undefined || own.includes(value) ? [] : [[name, value, own]];
    });
    expect(wrong).toEqual([]);
  });

  it('lists each once', () => {
    expect(listed.filter((name, index) => listed.indexOf(name) !== index)).toEqual([]);
  });
});
