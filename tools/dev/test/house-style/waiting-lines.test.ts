import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT, ROOT, sourceFiles } from './source-files';

/** Where whatever waits is shared out by owner. */
const SLOTS = /^packages\/concurrency\//;
/** A collection that is named as a line of those who wait. A line with `Slots` is one of them no more. */
const LINE =
  /^\s*(?:(?:readonly|private|const|let) )*#?(?:waiting|waiters|queues?)\b[^=\n]*= (?:new (?:Set|Map|OpenItems)\b|\[\])/m;

/** Each line of waiters that has rules of its own: the row of docs/attacks.md that says what the worst owner can take of it. */
const ROWS: Readonly<Record<string, string>> = {
  'packages/billing/src/account-batchers.ts': 'ends that go alone, because their account’s row is held',
  'packages/callbacks/src/delivery-line.ts': 'deliveries of callbacks, in a process',
  'packages/queue/src/queues.ts': 'a family’s queue',
  'packages/tasks/src/hasten-checks.ts': 'calls back of vendors that wait for a look',
  'services/api/src/use-cases/slot-queue.ts': 'callers who wait for a slot of their key',
  'services/console/src/session/turns.ts': 'attempts to sign in as one user, in a process',
};

it('a line of waiters is one of `Slots`, or a row of docs/attacks.md says what the worst owner can take of it', () => {
  const files = sourceFiles().filter((file) => PRODUCT.test(file) && !SLOTS.test(file));
  const found = files.filter((file) => hasLine(readFileSync(path.join(ROOT, file), 'utf8')));
  expect(found).toEqual(Object.keys(ROWS));
});

it.each([...new Set(Object.values(ROWS))])('docs/attacks.md has the row: %s', (row) => {
  const text = readFileSync(path.join(ROOT, 'docs/attacks.md'), 'utf8').replaceAll("'", '’');
  expect(text).toMatch(new RegExp(`^\\| ${row} \\|`, 'm'));
});

it.each([
  '  readonly #waiting = new Set<() => void>();',
  '  #queue: Job[] = [];',
  'const waiters = new Map<string, Waiter>();',
])('finds %s', (text) => expect(hasLine(text)).toBe(true));

it.each(['  readonly #waiting = new Slots({ capacity: 10 });', '  const line = lines[0];'])('passes %s', (text) =>
  expect(hasLine(text)).toBe(false),
);

function hasLine(text: string): boolean {
  return LINE.test(text);
}
