import { newTaskId } from '@mediagate/contracts';
import type { ReadRow } from '@mediagate/tasks';
import { versionOf } from '../../../http/answers/versioned';
import { EndedRecords } from './ended-records';

const LIMITS = { maxRecords: 10, maxBytes: 100_000, recordMaxBytes: 50_000, keepMs: 60_000 };
const HOUR_MS = 3_600_000;

let nowMs = Date.now();
const openRecords = (limits: Partial<typeof LIMITS> = {}) => new EndedRecords({ ...LIMITS, ...limits }, () => nowMs);

const rowOf = (fields: Partial<ReadRow> = {}) =>
  ({
    id: newTaskId(nowMs),
    accountId: 'a',
    keyId: 'k',
    keyMakerId: 'm',
    status: 'completed',
    webhook: null,
    ...fields,
  }) as ReadRow;

/** A caller who sees all of its account. */
const ofAccount = (accountId: string) => ({ accountId, ownKeyId: null });
const A = ofAccount('a');

const ANSWER = versionOf('{"code":200}');

it.each(['completed', 'failed'] as const)('the record of a %s task is found again, by its account alone', (status) => {
  const [records, row] = [openRecords(), rowOf({ status })];
  records.keep(row, ANSWER);
  expect(records.find(row.id, A)).toBe(ANSWER);
  expect(records.find(row.id, ofAccount('b'))).toBeUndefined();
  expect(records.find(newTaskId(), A)).toBeUndefined();
});

it('a record is found by a key that sees only its own where it, or a key that it made, made the task', () => {
  const [records, row] = [openRecords(), rowOf()];
  records.keep(row, ANSWER);
  const found = ['k', 'm', 'sibling'].map((ownKeyId) => records.find(row.id, { accountId: 'a', ownKeyId }) === ANSWER);
  expect(found).toEqual([true, true, false]);
});

it.each<[string, Partial<ReadRow>]>([
  ['that has not ended', { status: 'processing' }],
  ['whose callback is shown', { webhook: 'https://example.com' }],
  ['that may soon be pruned', { id: newTaskId(nowMs - 22.1 * HOUR_MS) }],
])('the record of a task %s is read each time', (_what, fields) => {
  const [records, row] = [openRecords(), rowOf(fields)];
  records.keep(row, ANSWER);
  expect(records.find(row.id, A)).toBeUndefined();
});

it('a record is read anew when its time is over, however often it is asked for', () => {
  const [records, row] = [openRecords(), rowOf()];
  records.keep(row, ANSWER);
  nowMs += LIMITS.keepMs - 1;
  expect(records.find(row.id, A)).toBe(ANSWER);
  nowMs += 1;
  expect(records.find(row.id, A)).toBeUndefined();
});

const keptOf = (records: EndedRecords, rows: readonly ReadRow[]) =>
  rows.filter(({ id, accountId }) => records.find(id, ofAccount(accountId)) !== undefined).length;

function keepMany(records: EndedRecords, count: number, text: string): ReadRow[] {
  const rows = Array.from({ length: count }, () => rowOf());
  for (const row of rows) records.keep(row, versionOf(text));
  return rows;
}

it('no more records are kept than may be: those that were asked for last', () => {
  const records = openRecords();
  const rows = keepMany(records, 30, '{}');
  expect(keptOf(records, rows)).toBe(10);
  expect(keptOf(records, rows.slice(-10))).toBe(10);
});

it.each([
  ['a byte a character', 'x', 9],
  ['two bytes a character where one is no ASCII', 'é', 4],
])('no more bytes are kept than may be, at %s', (_what, character, count) => {
  const records = openRecords({ maxRecords: 1000 });
  expect(keptOf(records, keepMany(records, 50, character.repeat(10_000)))).toBe(count);
});

it('a record that is larger than one may be pushes none out', () => {
  const records = openRecords();
  const small = keepMany(records, 5, '{}');
  const large = keepMany(records, 5, 'x'.repeat(60_000));
  expect([keptOf(records, small), keptOf(records, large)]).toEqual([5, 0]);
});
