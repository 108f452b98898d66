import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../../comparison';
import { query } from '../../machine/query';
import { type Figure, figure, type Goal } from '../../measure/figure';
import { percentile } from '../../measure/statistics';
import { auditFaults, type Books, mustEqual, openBooks } from '../../product/books';
import type { Load } from '../../product/http-contender';
import { startApi, startImageWorker, startReconciler } from '../../product/services';
import { submissionTo } from '../../product/submission-load';
import { submitTasks } from '../../product/tasks';
import type { Stage } from '../../stage';

const FULL = { flood: 20_000, phaseMs: 12_000 };
const QUICK = { flood: 1000, phaseMs: 3000 };
/** The worker begins eighty a second, of which the others want ten. */
const WORKER = { concurrency: 8, vendorMs: 100 };
const OTHERS = 10;
const PER_SECOND = 10;

/** Tasks at once of the key that floods: half of the worker's slots. */
const KEY_LIMIT = 4;

const BESIDE: Goal = {
  id: 'P19',
  measure: 'p99 wait of ten accounts of one task a second, beside one account with 20,000',
  against: 'the same ten alone',
  threshold: { atMost: 2 },
  unit: 'x',
};

/** From submission to the claim, of the tasks of ten accounts: alone, then behind the flood of another one. */
export function flood(stage: Stage): Promise<Outcome> {
  return besideFlood(stage, { name: 'flood', maxConcurrent: null });
}

/** The same beside a flood whose key may run but a few tasks at once. */
export function limitedKey(stage: Stage): Promise<Outcome> {
  return besideFlood(stage, { name: 'limited_key', maxConcurrent: KEY_LIMIT });
}

interface FloodingKey {
  name: string;
  /** Null: no limit. */
  maxConcurrent: number | null;
}

async function besideFlood(stage: Stage, { name, maxConcurrent }: FloodingKey): Promise<Outcome> {
  const { flood: count, phaseMs } = stage.quick ? QUICK : FULL;
  const books = await openBooks(stage, name, { accounts: OTHERS + 1 });
  const [flooder, ...others] = books.accounts;
  if (flooder === undefined) throw new Error('no account');
  await query(books.url, 'update api_keys set max_concurrent = $2 where id = $1', [flooder.key.id, maxConcurrent]);
  const upstream = await stage.startProgram('instruments/upstream.ts', { LATENCY_MS: String(WORKER.vendorMs) });
  const api = await startApi(stage, books);
  const around = { books, upstreamUrl: upstream.url };
  const services = [
    await startImageWorker(stage, around, WORKER.concurrency),
    await startReconciler(stage, around),
    api,
  ];
  const submissions = others.map((account) => submissionTo(api.url, { ...books, accounts: [account] }, 1));

  const alone = await phase(books, submissions, phaseMs);
  await submitTasks({ ...books, accounts: [flooder] }, { count });
  const beside = await phase(books, submissions, phaseMs);
  const faults = [
    ...mustEqual('submissions that failed', alone.failures + beside.failures, 0),
    ...(await auditFaults(books)),
  ];
  for (const service of services) await stage.stop(service);
  const ofKey = maxConcurrent === null ? '' : `; its key runs ${maxConcurrent} at once`;
  return { figures: [waitFigure(alone.waitsMs, beside.waitsMs, ofKey)], faults };
}

interface Phase {
  waitsMs: number[];
  failures: number;
}

/** Each account submits in its turn by the clock, whatever becomes of the tasks before. */
async function phase({ url, accounts }: Books, submissions: readonly Load[], durationMs: number): Promise<Phase> {
  const [begun] = await query<{ at: Date }>(url, 'select now() as at');
  const answers: Promise<boolean>[] = [];
  const startedAt = performance.now();
  for (let turn = 0; turn < (PER_SECOND * durationMs) / 1000; turn += 1) {
    await delay(Math.max(0, startedAt + (turn * 1000) / PER_SECOND - performance.now()));
    answers.push(submit(submissions[turn % submissions.length] as Load));
  }
  const failures = (await Promise.all(answers)).filter((isAccepted) => !isAccepted).length;
  const others = accounts.slice(1).map(({ id }) => id);
  const rows = await query<{ waitMs: number }>(url, READ_WAITS, [others, begun?.at]);
  return { waitsMs: rows.map(({ waitMs }) => waitMs), failures };
}

/** Never rejects: a broken connection is a submission that failed. */
async function submit({ url, method, headers, body = '' }: Load): Promise<boolean> {
  try {
    const answer = await fetch(url, { method, headers, body });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** A task that still waits has waited until now. */
const READ_WAITS = `
select extract(epoch from coalesce(started_at, now()) - created_at)::float8 * 1000 as "waitMs"
from tasks where account_id = any($1::text[]) and created_at >= $2`;

function waitFigure(alone: readonly number[], beside: readonly number[], ofKey: string): Figure {
  const of = (waits: readonly number[]) =>
    `p50 ${percentile(waits, 50).toFixed(0)} ms, p99 ${percentile(waits, 99).toFixed(0)} ms`;
  const values = [percentile(beside, 99) / percentile(alone, 99)];
  return figure(BESIDE, { values, slices: [], limit: `alone ${of(alone)}; beside ${of(beside)}${ofKey}` });
}
