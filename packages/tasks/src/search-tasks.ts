import { firstTaskIdAt, isTaskId, type RecordOptions, type TaskId } from '@mediagate/contracts';
import { type Database, type FoundTask, type Page, readPage, type TaskSearch } from '@mediagate/database';
import { toShownRecord } from './task-history';

/** The details of a task that a support case gives. */
export interface SupportCase
  extends Partial<Pick<TaskSearch, 'accountId' | 'requestId' | 'status' | 'family' | 'model' | 'metadata' | 'words'>> {
  /** The whole id of a task, its beginning, or any part of it. */
  idPart?: string | null;
  /** The id of a stored file, as it stands in the URL of a result. */
  mediaId?: string | undefined;
  createdFrom?: Date | null;
  createdBefore?: Date | null;
  /** The place of the page before. */
  before?: string | undefined;
  limit: number;
}

/** Rows that a page looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;
/** Around the time that stands in a request id of our own: its body may be on its way for minutes. */
const SCAN_MAX_ROWS_AROUND = 20_000;
const MAX_WORDS = 10;
export const MAX_WORDS_CHARACTERS = 200;
const BEFORE_MS = 10_000;
const AFTER_MS = 600_000;
const BELOW_ALL = firstTaskIdAt(0);
const ID_CHARACTERS = 26;
const ABOVE_ALL = beginningWith('task_', 'z');

/** The words of a search, without the blanks between them; undefined: there are none, or more than a search takes. */
export function wordsOf(text: string): string[] | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 || words.length > MAX_WORDS || text.length > MAX_WORDS_CHARACTERS || text.includes('\0')
    ? undefined
    : words;
}

/** Tasks of all accounts, the newest first. Each page is a short scan of one index, however many tasks there are. */
export async function searchTasks(database: Database, wanted: SupportCase): Promise<Page<FoundTask, TaskId>> {
  const taskId = wanted.mediaId === undefined ? undefined : await taskOfMedia(database, wanted.mediaId);
  if (taskId === null) return { rows: [], next: undefined };
  const range = rangeOf(taskId ?? wanted.idPart ?? '', wanted);
  const search = {
    ...range,
    scanRows: madeAt(wanted.requestId) === undefined ? SCAN_MAX_ROWS : SCAN_MAX_ROWS_AROUND,
    accountId: wanted.accountId ?? null,
    idPart: taskId ?? wanted.idPart ?? null,
    requestId: wanted.requestId ?? null,
    status: wanted.status ?? null,
    family: wanted.family ?? null,
    model: wanted.model ?? null,
    metadata: wanted.metadata ?? null,
    words: wanted.words ?? null,
  };
  return readPage(wanted.limit, (limit) => byNarrowest(database, { ...search, limit }));
}

function byNarrowest(database: Database, search: TaskSearch) {
  const { accountId, requestId, metadata } = search;
  const [label] = Object.entries(metadata ?? {});
  if (requestId !== null && madeAt(requestId) === undefined) return database.searchTasksByRequestId(search);
  if (accountId === null) return database.searchTasks(search);
  if (label) return database.searchTasksByLabel(search, label[0], String(label[1]));
  return database.searchTasksOfAccount(search);
}

/** The ids that the beginning of an id, the times and the place of the page before leave. */
function rangeOf(idPart: string, { requestId, createdFrom, createdBefore, before }: SupportCase) {
  const isBeginning = idPart.startsWith('task_');
  const made = madeAt(requestId);
  const lows = [
    createdFrom ? idAt(createdFrom.getTime()) : BELOW_ALL,
    made === undefined ? BELOW_ALL : idAt(made - BEFORE_MS),
    isBeginning ? beginningWith(idPart, '0') : BELOW_ALL,
  ];
  const highs = [
    before ?? ABOVE_ALL,
    createdBefore ? idAt(createdBefore.getTime()) : ABOVE_ALL,
    made === undefined ? ABOVE_ALL : idAt(made + AFTER_MS),
    // One character longer than an id: the whole id of a task is below it, too.
    isBeginning ? `${beginningWith(idPart, 'z')}z` : ABOVE_ALL,
  ];
  return { from: lows.toSorted().at(-1) ?? BELOW_ALL, before: highs.toSorted()[0] ?? ABOVE_ALL };
}

function idAt(ms: number): TaskId {
  return firstTaskIdAt(Math.max(0, ms));
}

function beginningWith(idPart: string, filler: string): string {
  return idPart.padEnd('task_'.length + ID_CHARACTERS, filler);
}

const OWN_REQUEST_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The time in a request id of our own, a UUID of version 7. */
function madeAt(requestId: string | null | undefined): number | undefined {
  const [, high, low] = OWN_REQUEST_ID.exec(requestId ?? '') ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(`${high}${low}`, 16);
}

async function taskOfMedia(database: Database, mediaId: string): Promise<TaskId | null> {
  const [row] = await database.findTaskOfMedia(mediaId);
  return row && isTaskId(row.taskId) ? row.taskId : null;
}

/** The record, with what tells an operator whose it is. */
export function describeFoundTask(row: FoundTask, options: RecordOptions) {
  const { accountId: account_id, keyId: key_id, family, requestId: request_id } = row;
  return { ...toShownRecord(row, options), account_id, key_id, family, request_id };
}
