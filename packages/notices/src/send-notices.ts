import { setTimeout } from 'node:timers/promises';
import { callbackHeaders, type DeliveryVerdict, judgeUrl, postCallback, type SendingRules } from '@mediagate/callbacks';
import type { ClaimedMessage, Database } from '@mediagate/database';
import { OPERATORS } from '@mediagate/database';
import type { Mailer } from './mailer';
import { judgeMail, judgePost, mayBeTried } from './outcome';
import { writeMail, writeSlack, writeWebhook } from './write-message';

/** Messages that one process sends at once. */
const PLACES = 20;
/** Places for messages of accounts: the targets of accounts may be slow, and must not hold up operators' messages. */
const ACCOUNT_PLACES = 15;
/** Places for one account, or for one target of operators. */
const SHARE = 2;
/** Places for one host, so that two accounts reach it at once. */
const HOST_SHARE = 2 * SHARE;
/** How often the sender looks for messages that have become due while no other ends. */
const LOOK_MS = 1000;
/** A batch ends after so long, whatever is still under way: a job whose batches do not end counts as dead. */
const BATCH_MS = 60_000;
/** Twice as long as any attempt may take: mail has 30 s, callbacks a minute at most. */
const LEASE_MS = 120_000;

export interface NoticeSenderDeps {
  database: Pick<Database, 'claimNoticeMessages' | 'recordNoticeMessage'>;
  /** The rules for targets that holders of accounts have named: those of callbacks. */
  accountRules(): SendingRules;
  /** The rules for targets that operators have named. */
  operatorRules(): SendingRules;
  /** Absent: no mail server is set. */
  mailer: Mailer | undefined;
  onSent(message: ClaimedMessage, verdict: DeliveryVerdict): void;
  /** Receives an error that is no outcome of the attempt: the message is due again when its lease ends. */
  onFailed(error: unknown): void;
  /** Default: a minute. */
  batchMs?: number;
}

/** A place is taken again as soon as it is free: a slow receiver keeps nobody waiting but those that share its places. */
export class NoticeSender {
  readonly #deps: NoticeSenderDeps;
  readonly #underWay = new Set<{ owner: string; ended: Promise<void> }>();
  #isClosed = false;
  #done = 0;

  constructor(deps: NoticeSenderDeps) {
    this.#deps = deps;
  }

  /**
   * Sends what is due, and what becomes so meanwhile, until all of it has ended, for `batchMs` at most. After `more` the rest goes on,
   * and the next call follows it. `done` counts what has ended since the last call returned.
   */
  async sendDue(): Promise<{ done: number; more: boolean }> {
    const endAt = performance.now() + (this.#deps.batchMs ?? BATCH_MS);
    for (let begun = await this.#begin(); begun > 0 || this.#underWay.size > 0; begun = await this.#begin()) {
      const leftMs = endAt - performance.now();
      if (leftMs <= 0) return this.#report(true);
      await firstOf(this.#ends(), Math.min(LOOK_MS, leftMs));
    }
    return this.#report(false);
  }

  /** Nothing more is begun; resolves when what was begun has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#ends());
  }

  #ends(): Promise<void>[] {
    return Array.from(this.#underWay, ({ ended }) => ended);
  }

  async #begin(): Promise<number> {
    const ofAccounts = Array.from(this.#underWay).filter(({ owner }) => owner !== OPERATORS).length;
    const limits = { limit: PLACES - this.#underWay.size, accountLimit: ACCOUNT_PLACES - ofAccounts };
    if (this.#isClosed || limits.limit === 0) return 0;
    const shares = { share: SHARE, hostShare: HOST_SHARE, leaseMs: LEASE_MS };
    const claimed = await this.#deps.database.claimNoticeMessages({ ...limits, ...shares });
    for (const message of claimed) this.#send(message);
    return claimed.length;
  }

  #send(message: ClaimedMessage): void {
    const end = () => {
      this.#underWay.delete(place);
      this.#done += 1;
    };
    const sent = sendOne(message, this.#deps).catch(this.#deps.onFailed);
    const place = { owner: message.owner, ended: sent.finally(end) };
    this.#underWay.add(place);
  }

  #report(more: boolean): { done: number; more: boolean } {
    const done = this.#done;
    this.#done = 0;
    return { done, more };
  }
}

/** Resolves when one of them has ended, or after so long. */
async function firstOf(ends: readonly Promise<void>[], afterMs: number): Promise<void> {
  const others = new AbortController();
  await Promise.race([...ends, setTimeout(afterMs, undefined, { signal: others.signal })]);
  others.abort();
}

/** An error on the way leaves the row as it is: it is due again when its lease ends. */
async function sendOne(message: ClaimedMessage, deps: NoticeSenderDeps): Promise<void> {
  const verdict = await attempt(message, deps);
  const { id, fence } = message;
  await deps.database.recordNoticeMessage({
    id,
    fence,
    state: verdict.state,
    reason: verdict.state === 'delivered' ? null : verdict.reason,
    retryAfterMs: verdict.state === 'pending' ? verdict.retryAfterMs : null,
  });
  deps.onSent(message, verdict);
}

async function attempt(message: ClaimedMessage, deps: NoticeSenderDeps): Promise<DeliveryVerdict> {
  if (!mayBeTried(message)) return { state: 'exhausted', reason: 'outcome_lost' };
  return message.medium === 'email' ? await mail(message, deps) : await post(message, deps);
}

async function mail(message: ClaimedMessage, { mailer }: NoticeSenderDeps): Promise<DeliveryVerdict> {
  if (mailer === undefined) return { state: 'dropped', reason: 'no_mail_server' };
  return judgeMail(message, await mailer.send(writeMail(message, message.address)));
}

async function post(message: ClaimedMessage, deps: NoticeSenderDeps): Promise<DeliveryVerdict> {
  const rules = message.owner === OPERATORS ? deps.operatorRules() : deps.accountRules();
  const judged = judgeUrl(message.address, rules.policy);
  if (!judged.ok) return { state: 'dropped', reason: judged.reason };
  const { outcome } = await postCallback({ url: judged.url, ...requestOf(message) }, rules);
  return judgePost(message, outcome);
}

function requestOf(message: ClaimedMessage): { headers: Record<string, string>; body: string } {
  if (message.medium === 'slack') {
    return { headers: { 'content-type': 'application/json', 'user-agent': 'mediagate' }, body: writeSlack(message) };
  }
  const body = writeWebhook(message);
  const { id, startedAt: timestamp, secrets } = message;
  return { headers: callbackHeaders({ id, timestamp, body, secrets }), body };
}
