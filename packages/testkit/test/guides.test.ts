import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const FOLDERS = /^(?:\.ci|\.github|bench|deploy|docs|e2e|packages|prisma|scripts|services|simulator|tools)\//;

/** Guides, and the pages that a contributor reads first. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/ARCHITECTURE.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.startsWith('adding-'))
    .map((file) => `docs/${file}`),
];

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** Paths of the repository in code spans, outside of fenced examples and their headings. */
function pathsIn(page: string): string[] {
  const text = read(page).replace(/(?:^`\S+`\n\n)?^```[\s\S]*?^```/gm, '');
  const spans = [...text.matchAll(/`([^`\s]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => FOLDERS.test(span));
}

/** A `<name>` or `*` in a path stands for one that is there already. */
function isThere(path: string): boolean {
  const parts = path.replace(/\/$/, '').split('/');
  return parts
    .reduce<string[]>(
      (folders, part) => folders.flatMap((folder) => matching(folder, part).map((name) => join(folder, name))),
      [ROOT],
    )
    .some(existsSync);
}

function matching(folder: string, part: string): string[] {
  if (!/[<*]/.test(part)) return [part];
  const pattern = part.replace(/[.\\+?^$()[\]{}|]/g, '\\$&').replace(/<[^>]*>|\*+/g, '[^/]+');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => new RegExp(`^${pattern}$`).test(name));
}

it('there is a guide for each thing that is often added', () => {
  const guides = ['command', 'family', 'locale', 'model', 'route', 'storage-driver'].map(
    (thing) => `docs/adding-a-${thing}.md`,
  );
  expect(PAGES).toEqual(expect.arrayContaining([...guides, 'docs/adding-an-upstream.md']));
});

describe.each(PAGES)('%s', (page) => {
  it('names files that are there', () => {
    expect(pathsIn(page).filter((path) => !isThere(path))).toEqual([]);
  });
});
