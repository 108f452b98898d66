import { readFileSync } from 'node:fs';
import path from 'node:path';
import { functionLengths } from './function-lengths';
import { ROOT, sourceFiles } from './source-files';

export const MAX_FUNCTION_LINES = 40;
const CODE = /\.(?:tsx?|mjs|cjs|sql)$/;
const SOURCE = /^(?:packages|services|tools|simulator|bench|e2e|scripts|prisma\/functions)\//;
const TEST = /\/test\/|\/fixtures\/|\.(?:test|alerts|attack|cluster|deployment|losses|nights|traces|vendors|web)\.ts$/;
const LOCALE = /^packages\/languages\/src\/texts\//;
/** A comment's first word that leaves it without a subject. */
const HEADLESS = /(?:\/\*\*?\s+(?:\*\s+)?|(?<!(?:\/\/|--)[^\n]*\n\s*)(?:\/\/|--) )(?:Of|Those|Whose|What|Who|Which)\b/g;

export interface CodeFile {
  file: string;
  text: string;
  isTest: boolean;
}

/** Every file of code that is written by hand, without migrations, locales and what stands at the root. */
export function codeFiles(): CodeFile[] {
  return sourceFiles()
    .filter((file) => CODE.test(file) && SOURCE.test(file) && !LOCALE.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8'), isTest: TEST.test(file) }));
}

/** The lines of each function outside of tests, by file and name. A file of `prisma/functions` is one function, without the comment above it. */
export function measureFunctions(files: readonly CodeFile[]): [name: string, lines: number][] {
  const measure = ({ file, text }: CodeFile) =>
    file.endsWith('.sql')
      ? [[file, linesOf(text.slice(text.search(/^CREATE/m)))] as [string, number]]
      : [...functionLengths(file, text)].map(([name, lines]): [string, number] => [`${file} ${name}`, lines]);
  return files.filter(({ isTest }) => !isTest).flatMap(measure);
}

/** Counts that may only become less, by name. */
export function countBounds(
  files: readonly CodeFile[],
  functions: readonly [string, number][],
): Record<string, number> {
  const lengths = functions.map(([, lines]) => lines).sort((one, other) => one - other);
  const all = sourceFiles();
  const count = (pattern: RegExp) => all.filter((file) => pattern.test(file)).length;
  return {
    'source lines': sumLines(files.filter(({ isTest }) => !isTest)),
    'test lines': sumLines(files.filter(({ isTest }) => isTest)),
    packages: count(/^packages\/[^/]+\/package\.json$/),
    migrations: count(/^prisma\/migrations\/[^/]+\/migration\.sql$/),
    'Jest files at the root': count(/^jest[^/]*$/),
    'records of decisions': count(/^docs\/adr\/\d/),
    'lines of a function, p90': lengths[Math.floor(lengths.length * 0.9)] ?? 0,
    'lines of the longest function': lengths.at(-1) ?? 0,
    [`functions of over ${MAX_FUNCTION_LINES} lines`]: lengths.filter((lines) => lines > MAX_FUNCTION_LINES).length,
    'comments without a subject': files.reduce((sum, { text }) => sum + headlessIn(text), 0),
  };
}

export function headlessIn(text: string): number {
  return [...text.matchAll(HEADLESS)].length;
}

export function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function sumLines(files: readonly CodeFile[]): number {
  return files.reduce((sum, { text }) => sum + linesOf(text), 0);
}
