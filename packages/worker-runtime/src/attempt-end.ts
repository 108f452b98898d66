import type { AttemptEnd } from '@mediagate/billing';
import { reportedCost, vendorCost } from '@mediagate/catalog';
import type { Usage, VendorCost } from '@mediagate/contracts';
import { answerExcerpt } from '@mediagate/upstreams';
import type { Run } from './run-state';
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
  await deps.writes.recordLateOutcome(run.current.id, {
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
