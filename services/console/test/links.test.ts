import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT_NOTICE_KINDS, NOTICE_KINDS } from '@mediagate/contracts';
import { KINDS, KINDS_OF_HOLDERS, type Kind, pageOfNotice } from '../web/src/pages/notices/notice-kinds';

const SOURCES = join(__dirname, '../web/src');

interface Page {
  path: RegExp;
  audience: string;
}

const table = readFileSync(join(SOURCES, 'frame/page-table.ts'), 'utf8');
const rows = table.matchAll(/path: '([^']*)',\s*folder: '[^']*',\s*audience: '([^']*)'/g);
const pages: Page[] = [...rows].map(([, path = '', audience = '']) => ({
  path: new RegExp(`^${path.replace('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`),
  audience,
}));

it('the table of pages has every page', () => {
  expect(pages.length).toBeGreaterThanOrEqual(readdirSync(join(SOURCES, 'pages')).length);
});

const isPage = (address: string, ...audiences: string[]) =>
  pages.some(({ path, audience }) => path.test(address.split('?')[0] ?? '') && audiences.includes(audience));

it('every kind of notice has a text, and leads to a page of who is told of it', () => {
  expect([...KINDS].sort()).toEqual([...NOTICE_KINDS].sort());
  expect([...KINDS_OF_HOLDERS].sort()).toEqual([...ACCOUNT_NOTICE_KINDS].sort());
  const about = (kind: Kind) => ({ kind, subject: 'subject_1', account_id: 'acct_1' });
  const texts = JSON.parse(readFileSync(join(SOURCES, 'pages/notices/locales/en.json'), 'utf8'));
  expect(KINDS.filter((kind) => !texts[`kind.${kind}`])).toEqual([]);
  expect(KINDS.filter((kind) => !isPage(pageOfNotice(about(kind), true), 'operator'))).toEqual([]);
  expect(KINDS_OF_HOLDERS.filter((kind) => !isPage(pageOfNotice(about(kind), false), 'account'))).toEqual([]);
  expect(pageOfNotice({ ...about('low_balance'), kind: 'of a newer release' }, true)).toBe('/notices');
});

it('every link that stands in the code leads to a page', () => {
  const links = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => linksIn(readFileSync(join(SOURCES, file), 'utf8')).map((link) => ({ file, link })));
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ link }) => !isPage(link, 'operator', 'account', 'everybody', 'anybody'))).toEqual([]);
});

/** The links in code, with a word in place of each part that is filled in, or nothing where that part is the query. */
function linksIn(code: string): string[] {
  const written = code.matchAll(/(?:\bto=\{?|\bpathOf\w+=(?:\{[^`]*)?|\bnavigate\()['"`](\/[^'"`]*)['"`]/g);
  return [...written].map(([, link = '']) => link.replace(/(?<=\w)\$\{.*/, '').replaceAll(/\$\{[^}]*\}/g, 'x'));
}
