import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWitnesses } from '../../simulator/test/public-clients';
import { SOURCES } from './fixtures';

/* The table of docs/judges.md, held to what there is. */

const ROOT = join(__dirname, '../..');
const FOLDERS = readdirSync(SOURCES).filter((name) => existsSync(join(SOURCES, name, 'adapter.ts')));
const WITNESSES = readWitnesses();

interface Row {
  protocol: string;
  judge: string;
  suite: string;
  source: string;
  unproved: string;
}

const ROWS: Row[] = read('docs/judges.md')
  .split('\n')
  .filter((line) => line.startsWith('| `') && line.split('|').length > 4)
  .map((line) => {
    const [, protocol = '', judge = '', suite = '', _faults, source = '', unproved = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    return { protocol: protocol.replaceAll('`', ''), judge, suite: suite.replaceAll('`', ''), source, unproved };
  });

it('has a row of every protocol and of no other', () => {
  expect(ROWS.map(({ protocol }) => protocol).sort()).toEqual([...FOLDERS].sort());
});

it('the README counts them', () => {
  expect(read('README.md')).toContain(`[${FOLDERS.length} protocols](docs/judges.md)`);
});

it.each(ROWS)('$protocol is judged by a client that is installed, or by public clients named in their facts', (row) => {
  const { protocol, judge } = row;
  const packages = [...judge.matchAll(/`([@\w/-]+)@([\d.]+)`/g)].map(([, name = '', version]) => [name, version]);
  const wanted = packages.map(([name = '']) => [name, installed()[name]]);
  expect(packages).toEqual(wanted);
  const [file] = /simulator\/test\/public-clients\/[\w-]+\.json/.exec(judge) ?? [];
  if (file !== undefined) {
    expect(file).toBe(`simulator/test/public-clients/${protocol}.json`);
    expect(WITNESSES.find((witnesses) => witnesses.protocol === protocol)?.clients.length).toBeGreaterThanOrEqual(2);
  }
  expect(packages.length > 0 || file !== undefined || judge.startsWith('no vendor')).toBe(true);
});

/** Rows of protocols that are judged by what all promise. */
const ALIKE = read('packages/upstreams/test/conformance.test.ts');

it.each(ROWS)('$protocol runs the suite that its row names', ({ protocol, suite }) => {
  const tests = readdirSync(join(SOURCES, protocol)).filter((file) => file.endsWith('.test.ts'));
  const own = tests.map((file) => read(`packages/upstreams/src/${protocol}/${file}`)).join('\n');
  const [row] = ALIKE.match(new RegExp(`\\{\\s*protocol: '${protocol}',[^{}]*\\}`)) ?? [];
  const judged = row ?? (own.includes('describeAdapterConformance(') ? own : undefined);
  const [, answers = 'outputs'] = /answers: '(\w+)'/.exec(judged ?? '') ?? [];
  expect(suite).toBe(judged === undefined ? 'tests of its own' : answers);
});

it.each(ROWS)('$protocol says whence, when and what is not proved', ({ source, unproved }) => {
  expect(source).toMatch(/; 20\d\d-\d\d$/);
  expect(unproved).not.toBe('');
});

it.each(WITNESSES)(
  'the clients that judge $protocol stand in the document, with the day they were read',
  ({ protocol, clients }) => {
    const named = clients.map(({ client, found }) => `${client} (${found})`);
    expect(read('docs/judges.md')).toContain(`| \`${protocol}\` | ${named.join('; ')} |`);
  },
);

function installed(): Record<string, string> {
  const files = ['package.json', 'simulator/package.json', 'packages/upstreams/package.json'];
  return Object.assign({}, ...files.map((file) => JSON.parse(read(file)).devDependencies));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
