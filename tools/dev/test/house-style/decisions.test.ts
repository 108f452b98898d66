import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from './source-files';

const FOLDER = 'docs/adr';
const INDEX = `${FOLDER}/README.md`;
/** They name decisions that are not in force: the index, this test, and migrations, which are never edited. */
const EXCEPT = /^(?:docs\/adr\/README\.md|tools\/dev\/test\/house-style\/decisions\.test\.ts|prisma\/migrations\/.*)$/;
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const records = sourceFiles(FOLDER).filter((file) => file !== INDEX);
const inForce = new Set(records.map(numberOf));

it('every decision has a number of its own, with which its title begins', () => {
  expect(inForce.size).toBe(records.length);
  expect(records.filter((file) => !read(file).startsWith(`# ${numberOf(file)}. `))).toEqual([]);
});

it('every decision has its date and its status below its title', () => {
  expect(records.filter((file) => headOf(file) === undefined)).toEqual([]);
});

it('every decision has one line in the index, with its title, its date and the numbers that it replaces', () => {
  const lines = read(INDEX)
    .split('\n')
    .filter((line) => /^\| \[\d/.test(line));
  expect(lines.sort()).toEqual(records.map(indexLine).sort());
});

it('a replaced decision is deleted, and the index names the decision in force that replaces it', () => {
  const gone = [
    ...read(INDEX).matchAll(/^\| (\d+) \| .* \| \d{4}-\d\d-\d\d \| (?:replaced by \[(\d+)\]\(.*\)|removed) \|$/gm),
  ];
  const replaced = gone.filter(([, , by]) => by !== undefined).map(([, number, by]) => `${number} by ${by}`);
  const named = records.flatMap((file) => replacedBy(file).map((number) => `${number} by ${numberOf(file)}`));
  expect(replaced.sort()).toEqual(named.sort());
  expect(gone.filter(([, number]) => inForce.has(Number(number)))).toEqual([]);
});

it('nothing names a decision that is not in force', () => {
  const texts = sourceFiles().filter((file) => /\.(?:md|[cm]?[jt]sx?|sh|sql|ya?ml)$/.test(file) && !EXCEPT.test(file));
  const wrong = texts.flatMap((file) => goneIn(file, read(file)).map((name) => `${file}: ${name}`));
  expect(wrong).toEqual([]);
});

it.each(['ADR 999', 'docs/adr/0999', '[x](adr/0999-gone.md)', 'docs/adr/0001-another-name.md'])('finds %s', (text) =>
  expect(goneIn('README.md', text)).toHaveLength(1),
);

it('finds a link between decisions', () =>
  expect(goneIn(`${FOLDER}/0001-x.md`, '[999](0999-gone.md)')).toHaveLength(1));

function numberOf(file: string): number {
  return Number(path.basename(file).slice(0, 4));
}

function headOf(file: string): { title: string; date: string; replaces: string } | undefined {
  const [, title, date, replaces] =
    /^# \d+\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: in force\.(?: Replaces (\d[\d, and]*)\.)?(?: .*)?\n\n/.exec(
      read(file),
    ) ?? [];
  return title && date ? { title, date, replaces: replaces ?? '' } : undefined;
}

function replacedBy(file: string): number[] {
  return (headOf(file)?.replaces.match(/\d+/g) ?? []).map(Number);
}

function indexLine(file: string): string {
  const head = headOf(file);
  const link = `[${numberOf(file)}](${path.basename(file)})`;
  return `| ${link} | ${head?.title} | ${head?.date} | in force | ${head?.replaces} |`.replace('|  |', '| |');
}

/** Names of decisions in a text: by number, by the path of a file or of its beginning, and between decisions by the file alone. */
function goneIn(file: string, text: string): string[] {
  const byNumber = [...text.matchAll(/\bADR (\d+)/g)].filter(([, number]) => !inForce.has(Number(number)));
  const within = file.startsWith(`${FOLDER}/`)
    ? /(?:\badr\/|\]\()(\d{4}(?:-[\w-]+\.md)?)/g
    : /\badr\/(\d{4}(?:-[\w-]+\.md)?)/g;
  const byFile = [...text.matchAll(within)].filter(
    ([, name = '']) => !records.some((each) => path.basename(each).startsWith(name)),
  );
  return [...byNumber, ...byFile].map(([name]) => name);
}
