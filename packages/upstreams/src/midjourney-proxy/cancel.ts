import type { CancelOutcome } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { unanswered } from '../job';
import { text } from '../json-guards';
import type { ProxyCall } from './call';
import type { ProxyJob } from './window';

/** The server's account has not begun it. */
const WAITING: ReadonlySet<string | undefined> = new Set(['NOT_START', 'SUBMITTED', 'MODAL']);
/** Servers differ in what they call a task that was cancelled. */
const STOPPED: ReadonlySet<string | undefined> = new Set(['CANCEL', 'FAILURE']);

/**
 * Stops a task that still waits, by `POST /mj/task/{id}/cancel` (task controller of trueai-org/midjourney-proxy, November
 * 2026). A task that another attempt shares is left alone.
 *
 * One request would not do. The server drops whatever has not ended, also what it works on, whose work is paid: so the task is read
 * first. It answers 200 without a body whatever it did, also where the key may not cancel: so the task is read again.
 */
export async function cancelJob(call: ProxyCall, job: ProxyJob, context: CallContext): Promise<CancelOutcome> {
  if (job.shared || job.later !== undefined) return TOO_LATE;
  const before = await call.fetch(job.taskId, context);
  if (!before.ok) return unanswered(before);
  const status = text(before.body['status']);
  // By an earlier request, whose answer was lost.
  if (status === 'CANCEL') return { kind: 'cancelled' };
  if (!WAITING.has(status)) return TOO_LATE;
  await call.cancel(job.taskId, context);
  const after = await call.fetch(job.taskId, context);
  if (!after.ok) return unanswered(after);
  return STOPPED.has(text(after.body['status'])) ? { kind: 'cancelled' } : TOO_LATE;
}

const TOO_LATE: CancelOutcome = { kind: 'too_late' };
