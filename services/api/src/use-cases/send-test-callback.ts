import {
  type AttemptOutcome,
  callbackHeaders,
  decide,
  judgeWebhook,
  postCallback,
  type SendingRules,
} from '@mediagate/callbacks';
import { Slots } from '@mediagate/concurrency';
import { GatewayError, type Message, message, newTaskId } from '@mediagate/contracts';

export interface TestCallbackDeps {
  /** As they stand now. */
  rules(): SendingRules;
  /** What signs the account's callbacks, the current secret first. */
  readSecrets(accountId: string): Promise<string[]>;
}

export interface TestedCallback {
  delivered: boolean;
  status: number | null;
  /** Why it is not delivered; null: it is. */
  reason: string | null;
  /** The same for people, where the reason alone does not say it. */
  problem?: Message;
  durationMs: number;
}

export type SendTestCallback = (accountId: string, webhook: string) => Promise<TestedCallback>;

/** In one process, and of one account: a receiver that hangs takes a connection for as long as callbacks may take. */
const MAX_AT_ONCE = 64;
const MAX_OF_ACCOUNT = 2;

/**
 * Sends one callback of a task that is none, by the rules, headers and client of real ones.
 *
 * @throws (the function it returns) GatewayError `rate_limited` when the account has two under way.
 */
export function createSendTestCallback({ rules, readSecrets }: TestCallbackDeps): SendTestCallback {
  const slots = new Slots({ capacity: MAX_AT_ONCE, perOwner: MAX_OF_ACCOUNT });

  async function send(accountId: string, webhook: string): Promise<TestedCallback> {
    const current = rules();
    const judged = judgeWebhook(webhook, current.policy);
    if (!judged.ok) {
      const { reason, problem } = judged;
      return { delivered: false, status: null, reason, problem, durationMs: 0 };
    }
    const [id, timestamp, secrets] = [newTaskId(), new Date(), await readSecrets(accountId)];
    const body = JSON.stringify(testRecord(id, timestamp));
    const headers = callbackHeaders({ id, timestamp, body, secrets });
    const { outcome, durationMs, problem } = await postCallback(
      { owner: { accountId }, url: judged.url, headers, body },
      current,
    );
    return { ...describe(outcome), durationMs, ...(problem === undefined ? {} : { problem }) };
  }

  return async (accountId, webhook) => {
    const slot = slots.tryTake({ owner: { accountId } });
    if (slot === undefined) {
      throw new GatewayError('rate_limited', message('too_many_open_requests_of_account'), { retryAfterSeconds: 1 });
    }
    try {
      return await send(accountId, webhook);
    } finally {
      slot.release();
    }
  };
}

/** The record of a completed task, marked so that no receiver takes it for one. */
function testRecord(id: string, now: Date): object {
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
