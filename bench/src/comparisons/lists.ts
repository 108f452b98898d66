import { setTimeout as delay } from 'node:timers/promises';
import { sumDays } from '@mediagate/billing';
import { createOperator } from '@mediagate/identity';
import { fillLists } from '@mediagate/testkit/rows';
import type { Comparison, Outcome } from '../comparison';
import { query } from '../machine/query';
import { type Figure, figure, type Goal } from '../measure/figure';
import { type Account, type Books, openBooks, PEPPER } from '../product/books';
import { type Search, searchesOfCallers, searchesOfOperators, usageReports } from '../product/list-searches';
import { startApi } from '../product/services';
import { authorization } from '../product/submission-load';
import { SUBMISSION } from '../product/tasks';

const ROWS = { full: 1_000_000, quick: 20_000 };
/** So many calls at once that every connection of the API has one of them. */
const PAGE_CALLS = { inTurn: 15, atOnce: 8 };
/** An account's reports are made one at a time. */
const REPORT_CALLS = { inTurn: 3 };
const CONNECTIONS = 2;
/** A connection of the database reports what it read once a second at most, at the end of a statement. */
const REPORTED_AFTER_MS = 1100;

const PAGE_GOAL = { threshold: { atMost: 100 }, unit: 'ms' } as const;
/** Rows that a page may read. Those it looks at count three times: in the index, in the table, and where the look ended. */
const PAGE_MAX_ROWS = 20_000;
/** Reports read sums for whole days; they read a day that is cut by the time asked for task by task. */
const REPORT_GOAL = { threshold: { atMost: 5000 }, unit: 'ms' } as const;
const SUM_GOAL: Goal = {
  id: 'P17',
  measure: 'summing up a thousand ended tasks',
  threshold: { atMost: 200 },
  unit: 'ms',
};
const SUMMED_AT_ONCE = 20_000;

/** Each filter of each list, page by page over HTTP, in a database with a month of tasks: what a page takes, and how many rows it reads. */
export const lists: Comparison = {
  name: 'lists',
  goals: ['P17', 'P18'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const tasks = stage.rows ?? (stage.quick ? ROWS.quick : ROWS.full);
    const { id: accountId, key } = books.accounts[0] as Account;
    const hot = { accountId, keyId: key.id };
    const rows = await fillLists({ url: books.url, hot, tasks, submission: SUBMISSION });
    const outcome: Outcome = { figures: [await sumUp(books)], faults: [] };
    const { url } = await startApi(stage, books, { API_POOL_SIZE: String(CONNECTIONS) });
    const headers = { caller: authorization(books), operator: await operatorAuthorization(books) };
    const wanted: { id: string; goal: Omit<Goal, 'id' | 'measure'>; calls: Calls; searches: Search[] }[] = [
      { id: 'P17', goal: PAGE_GOAL, calls: PAGE_CALLS, searches: searchesOfCallers(rows) },
      { id: 'P17', goal: REPORT_GOAL, calls: REPORT_CALLS, searches: usageReports(rows) },
      { id: 'P18', goal: PAGE_GOAL, calls: PAGE_CALLS, searches: searchesOfOperators(rows, accountId) },
    ];
    for (const { id, goal, calls, searches } of wanted) {
      const widest: number[] = [];
      for (const { path, title = path, by } of searches) {
        const found = await measure(books, { url: `${url}${path}`, headers: headers[by] }, calls);
        outcome.figures.push(figureOf({ id, measure: title, ...goal }, found));
        if (found.status !== 200) outcome.faults.push(`${title}: ${found.status}`);
        if (found.rowsRead !== undefined) widest.push(found.rowsRead);
      }
      if (widest.length > 0) outcome.figures.push(rowsFigure(id, Math.max(...widest)));
    }
    return outcome;
  },
};

/** The first fill, as the reconciler makes it: milliseconds of a thousand tasks, piece by piece. */
async function sumUp({ database }: Books): Promise<Figure> {
  const values: number[] = [];
  for (let more = true; more; ) {
    const startedAt = performance.now();
    const piece = await sumDays(database, { limit: SUMMED_AT_ONCE });
    if (piece.done > 0) values.push(((performance.now() - startedAt) * 1000) / piece.done);
    ({ more } = piece);
  }
  return figure(SUM_GOAL, { values, slices: [], limit: `${values.length} pieces` });
}

async function operatorAuthorization({ database }: Books): Promise<Record<string, string>> {
  const { token } = await createOperator(database, PEPPER, { name: 'bench', role: 'admin' }, { actor: 'cli:bench' });
  return { Authorization: `Bearer ${token}` };
}

interface Calls {
  inTurn: number;
  /** Absent: rows read are not counted. */
  atOnce?: number;
}

interface Page {
  url: string;
  headers: Record<string, string>;
}

interface Found {
  /** The highest status of all answers: 200 when all went well. */
  status: number;
  /** Milliseconds of each call. */
  ms: number[];
  /** Rows of tables and indexes that one call reads. */
  rowsRead?: number;
}

async function measure(books: Books, page: Page, { inTurn, atOnce }: Calls): Promise<Found> {
  const ms: number[] = [];
  let status = await call(page);
  for (let round = 0; round < inTurn; round += 1) {
    const startedAt = performance.now();
    status = Math.max(status, await call(page));
    ms.push(performance.now() - startedAt);
  }
  if (atOnce === undefined) return { status, ms };
  const before = await countReads(books, page, atOnce);
  const after = await countReads(books, page, atOnce);
  return { status, ms, rowsRead: Math.round((after - before) / atOnce) };
}

async function call({ url, headers }: Page): Promise<number> {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Counts all rows read so far. The connections of the API report what they read at the end of the calls made here. */
async function countReads({ url }: Books, page: Page, atOnce: number): Promise<number> {
  await delay(REPORTED_AFTER_MS);
  await Promise.all(Array.from({ length: atOnce }, () => call(page)));
  const [row] = await query<{ reads: number }>(
    url,
    `select ((select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes))::float8 as reads`,
  );
  return row?.reads ?? Number.NaN;
}

function figureOf(goal: Goal, { ms, rowsRead }: Found): Figure {
  return figure(goal, {
    values: ms,
    slices: [],
    limit: rowsRead === undefined ? 'sums, and tasks of what is cut' : `${rowsRead} rows read`,
  });
}

function rowsFigure(id: string, rowsRead: number): Figure {
  const goal: Goal = {
    id,
    measure: 'rows read by the widest page',
    threshold: { atMost: PAGE_MAX_ROWS },
    unit: 'rows',
  };
  return figure(goal, { values: [rowsRead], slices: [], limit: 'of tables and indexes' });
}
