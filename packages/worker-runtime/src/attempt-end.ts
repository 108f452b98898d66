import type { AttemptEnd } from '@mediagate/billing';
import { reportedCost, vendorCost } from '@mediagate/catalog';
import type { JsonObject, Usage, VendorCost } from '@mediagate/contracts';
import { answerExcerpt } from '@mediagate/upstreams';
import type { StoredOutput } from './profile';
import type { Produced, Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

/** How the attempt under way ended; empty: none is. */
export function attemptEnd(run: Run, end: Omit<AttemptEnd, 'id'>): { attempt?: AttemptEnd } {
  const id = run.current?.id ?? run.task.attempt?.id;
  return id === undefined ? {} : { attempt: { id, ...end, ...lastAnswer(run) } };
}

/** The upstream's last answer, for operators: in this step, or the saved one. */
export function lastAnswer({ answers, current, task, produced }: Run): { answer?: string } {
  const secrets = { apiKey: current?.channel.apiKey ?? '', input: task.input };
  const answer = answerExcerpt(answers, secrets) ?? produced?.answer;
  return answer === undefined ? {} : { answer };
}

/**
 * The vendor's charge for the run's attempt, which used this much. Images count as they were made, also those that could
 * not be fetched; what the vendor itself counts goes before any other count.
 */
export function attemptCost({ current, entry, task, produced, streaming }: Run, used: Usage): VendorCost | undefined {
  const images = produced?.outputs.filter(({ role }) => role === 'image').length;
  const usage = { ...used, ...(images === undefined ? {} : { images }), ...produced?.usage };
  const credits = produced?.credits ?? streaming?.credits;
  return vendorCost({ entry, input: task.input }, { usage, credits }, current?.channel.costs);
}

/** The charge that the vendor reports for an attempt that made nothing: its caller pays none of it. */
export function costWithoutResult({ current }: Run, credits: string | undefined): { cost?: VendorCost } {
  const cost = reportedCost(credits, current?.channel.costs);
  return cost === undefined ? {} : { cost };
}

/** After its claim was lost, a worker still records in the attempt what it used and what was accepted. */
export async function recordLate(
  run: Run,
  { usage, externalId }: { usage?: Usage | undefined; externalId?: string | undefined },
  deps: WorkerDeps,
): Promise<void> {
  if (!run.current) return;
  const cost = usage && attemptCost(run, usage);
  await deps.database.recordLateOutcome(run.current.id, {
    usage,
    cost,
    externalId,
    detail: lateDetail(usage, externalId),
  });
}

function lateDetail(usage: Usage | undefined, externalId: string | undefined): string {
  if (usage !== undefined) return 'a result came after the task had ended';
  return externalId === undefined ? 'the claim was lost' : 'accepted after the claim was lost';
}

/**
 * Turns a vendor's figures into counts: integers, rounded up, exact as JSON numbers. Money is computed from them, so a figure
 * that is negative, infinite or no number counts as not reported.
 */
export function toCounts(usage: Usage): Usage {
  const counts: Usage = {};
  for (const [name, figure] of Object.entries(usage) as [keyof Usage, unknown][]) {
    if (typeof figure === 'number' && Number.isFinite(figure) && figure >= 0) {
      counts[name] = Math.min(Math.ceil(figure), Number.MAX_SAFE_INTEGER);
    }
  }
  return counts;
}

/** Counts the outputs that were stored, whatever the upstream reports. */
export function keptCounts(outputs: readonly StoredOutput[]): Usage & { images: number } {
  const videos = count(outputs, 'video');
  return { images: count(outputs, 'image'), ...(videos > 0 ? { videos: videos } : {}), ...secondsOf(outputs) };
}

function count(outputs: readonly StoredOutput[], wanted: StoredOutput['role']): number {
  return outputs.filter(({ role }) => role === wanted).length;
}

/** The length of the stored outputs, rounded to a second because frames do not end on full seconds. */
function secondsOf(outputs: readonly StoredOutput[]): { seconds?: number } {
  const lengths = outputs.flatMap(({ seconds }) => (seconds === undefined ? [] : [seconds]));
  if (lengths.length === 0) return {};
  return { seconds: Math.round(lengths.reduce((sum, length) => sum + length, 0)) };
}

/**
 * The answer to a start that is the result itself, as an operation to be checked: it is saved before any of its links is fetched, so that
 * another worker has it if this one ends. Undefined: it holds bytes, which no row takes, or no file at all.
 */
export function toSavedAnswer(run: Run, produced: Produced): JsonObject | undefined {
  if (produced.outputs.length === 0 || produced.outputs.some(({ bytes }) => bytes !== undefined)) return undefined;
  return { answered: { ...produced, requestIds: [], ...lastAnswer(run) } } as unknown as JsonObject;
}

/** Undefined: the operation is a vendor's. */
export function savedAnswer({ task }: Pick<Run, 'task'>): Produced | undefined {
  const answered = task.attempt?.operation?.['answered'];
  return answered === undefined ? undefined : (answered as unknown as Produced);
}
