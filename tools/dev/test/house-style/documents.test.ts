import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from './source-files';

const INDEX = 'docs/README.md';
/** It lists the decisions, as another test has it. */
const DECISIONS = 'docs/adr/README.md';

const documents = sourceFiles('docs').filter((file) => file.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...documents];
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

it('the index of documents has one line for each, and for nothing else below docs', () => {
  const listed = linksOf(INDEX).filter((file) => file.startsWith('docs/'));
  const expected = documents.filter((file) => file !== INDEX && (!file.startsWith('docs/adr/') || file === DECISIONS));
  expect(listed.sort()).toEqual(expected.sort());
});

it('every link of a page to a file or a heading leads somewhere', () => {
  const broken = pages.flatMap((page) => [
    ...linksOf(page).filter((to) => !existsSync(path.join(ROOT, to))),
    ...anchorsOf(page).filter(({ to, anchor }) => existsSync(path.join(ROOT, to)) && !headingsOf(to).has(anchor)),
  ]);
  expect(broken).toEqual([]);
});

it('the readme of the repository leads to the index', () => {
  expect(linksOf('README.md')).toContain(INDEX);
});

it('a paragraph and an item of a list are one line each, which editors wrap', () => {
  const written = sourceFiles().filter((file) => file.endsWith('.md'));
  expect(written.flatMap(continuedLines)).toEqual([]);
});

it('each row of a table is a line, or no page shows a table', () => {
  const written = sourceFiles().filter((file) => file.endsWith('.md'));
  expect(written.filter((file) => /\| \|\s*:?-{3}/.test(textOf(file)))).toEqual([]);
});

/** Lines that go on with the line above, outside of code: by file and number. */
function continuedLines(file: string): string[] {
  let isCode = false;
  let isOpen = false;
  return textOf(file)
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      const isProse = !isCode && !/^(?:\s*(?:[-*+]|\d+\.)\s|#|\s*\||\s*```|\s*<|>|\s*$|\[[^\]]+\]:)/.test(line);
      const goesOn = isProse && isOpen;
      isOpen = !isCode && (isProse || /^\s*(?:[-*+]|\d+\.)\s/.test(line)) && !/(?: {2}|\\)$/.test(line);
      return goesOn ? [`${file}:${index + 1}`] : [];
    });
}

/** Files of the repository that a page links to, by their paths from its root. */
function linksOf(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
  return links.filter((to) => !/^[a-z]+:/.test(to)).map((to) => path.posix.join(path.posix.dirname(page), to));
}

/** Links to a heading, of the page itself or of another document. */
function anchorsOf(page: string): { to: string; anchor: string }[] {
  return [...textOf(page).matchAll(/\]\(((?!\w+:)[^)#\s]*\.md)?#([^)]+)\)/g)].map(([, to, anchor = '']) => ({
    to: to === undefined ? page : path.posix.join(path.posix.dirname(page), to),
    anchor,
  }));
}

/** As GitHub names them. */
function headingsOf(page: string): Set<string> {
  const headings = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
