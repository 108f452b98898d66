import { GatewayError, type Message, message, newTaskId, type TaskId, type TaskRecord } from '@mediagate/contracts';
import { judgeWebhook, withExemption } from './callback-url';
import type { Callbacks } from './callbacks';
import { postCallback } from './post-callback';
import { type AttemptOutcome, decide } from './retry-schedule';
import { callbackHeaders, readSigningSecrets } from './sign';

export interface TestedCallback {
  delivered: boolean;
  status: number | null;
  /** Why it is not delivered; null: it is. */
  reason: string | null;
  /** The same for people, where the reason alone does not say it. */
  problem?: Message;
  durationMs: number;
}

type Testing = Pick<Callbacks, 'database' | 'rules' | 'testSlots'>;

/**
 * Sends one callback of a task that does not exist, by the rules, headers and client of real ones.
 *
 * @throws GatewayError `rate_limited` when the account has as many under way as it may.
 */
export async function testCallback(callbacks: Testing, accountId: string, webhook: string): Promise<TestedCallback> {
  const slot = callbacks.testSlots.tryTake({ owner: { accountId } });
  if (slot === undefined) {
    throw new GatewayError('rate_limited', message('too_many_open_requests_of_account'), { retryAfterSeconds: 1 });
  }
  try {
    return await send(callbacks, accountId, webhook);
  } finally {
    slot.release();
  }
}

async function send(callbacks: Testing, accountId: string, webhook: string): Promise<TestedCallback> {
  const rules = callbacks.rules();
  const judged = judgeWebhook(webhook, rules.policy);
  if (!judged.ok) {
    const { reason, problem } = judged;
    return {
      delivered: false,
      status: null,
      reason,
      problem: withExemption(problem, { url: webhook, reason }),
      durationMs: 0,
    };
  }
  const [id, timestamp, secrets] = [newTaskId(), new Date(), await readSigningSecrets(callbacks, accountId)];
  const body = JSON.stringify(testRecord(id, timestamp));
  const headers = callbackHeaders({ id, timestamp, body, secrets });
  const { outcome, durationMs, problem } = await postCallback(
    { owner: { accountId }, url: judged.url, headers, body },
    rules,
  );
  return { ...describe(outcome), durationMs, ...(problem === undefined ? {} : { problem }) };
}

/** The record of a completed task, marked so that no receiver takes it for one. */
function testRecord(id: TaskId, now: Date): TaskRecord & { test: true } {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    id,
    status: 'completed',
    progress: 100,
    created: seconds,
    completed: seconds,
    actual_time: 0,
    cost: 0,
    credits_cost: 0,
    reserved: 0,
    model: 'test',
    kind: 'image',
    result: { images: [] },
    test: true,
  };
}

function describe(outcome: AttemptOutcome): Pick<TestedCallback, 'delivered' | 'status' | 'reason'> {
  const verdict = decide(1, outcome, []);
  return {
    delivered: verdict.state === 'delivered',
    status: outcome.kind === 'answered' ? outcome.status : null,
    reason: 'reason' in verdict ? verdict.reason : null,
  };
}
