import { newWebhookSecret } from '@mediagate/callbacks';
import {
  exactSeconds,
  exactSecondsOrNull,
  type JsonObject,
  type NoticeKind,
  type NoticeMedium,
  timeOrderedId,
} from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  type Database,
  type ListedTarget,
  OPERATORS,
} from '@mediagate/database';

export const MAX_NOTICE_TARGETS = 10;
/** Bounds what one owner makes this service try, removed targets included. */
const MAX_TARGETS_PER_DAY = 50;
/** Tests of one owner, removed targets included: each leaves a message for 90 days, and a line of the audit log for ever. */
export const MAX_TESTS_PER_DAY = 100;

/** @param owner `OPERATORS`, or the id of an account; here and below. */
export interface NewTarget {
  owner: string;
  medium: NoticeMedium;
  address: string;
  /** Empty: all. */
  kinds: readonly NoticeKind[];
  language: string;
}

export type AddedTarget = ChangeOutcome & {
  /** Signs the messages to a webhook of operators; only the answer that makes the target has it, no replay. */
  secret?: string;
};

/** Unchanged: the owner has as many targets as it may have, or mail of an account would go to an address that no user of it is proven to have. */
export async function addTarget(database: Database, target: NewTarget, request: ChangeRequest): Promise<AddedTarget> {
  const secret = target.owner === OPERATORS && target.medium === 'webhook' ? newWebhookSecret() : null;
  const limits = { maxTargets: MAX_NOTICE_TARGETS, maxPerDay: MAX_TARGETS_PER_DAY };
  const added = { ...target, id: `target_${timeOrderedId()}`, secret };
  const outcome = await database.addNoticeTarget(added, limits, request);
  const isNew = outcome.kind === 'changed' && !outcome.replayed;
  return isNew && secret !== null ? { ...outcome, secret } : outcome;
}

/**
 * Sends a message without a notice, by the way of all others. Unchanged: there is no such target, it was tested a moment ago, its last
 * test has not ended, or `isTestedOften`.
 */
export function testTarget(
  database: Database,
  target: { id: string; owner: string },
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  return database.testNoticeTarget(target, MAX_TESTS_PER_DAY, request);
}

/** Whether an owner has asked for as many tests as it may in a day. */
export async function isTestedOften(database: Database, owner: string): Promise<boolean> {
  const [counted] = await database.countNoticeTests(owner);
  return (counted?.tests ?? 0) >= MAX_TESTS_PER_DAY;
}

export async function listTargets(database: Database, owner: string): Promise<ListedTarget[]> {
  return await database.listNoticeTargets(owner, null);
}

export async function findTarget(
  database: Database,
  { id, owner }: { id: string; owner: string },
): Promise<ListedTarget | undefined> {
  const [found] = await database.listNoticeTargets(owner, id);
  return found;
}

/** As it is shown, without what may be a secret: who knows a URL can write there. */
export function describeTarget(target: ListedTarget): JsonObject {
  const { id, medium, address, kinds, language, createdAt, isReachable, lastState, lastReason, lastAt } = target;
  return {
    id,
    medium,
    address: medium === 'email' ? address : `${new URL(address).origin}/…`,
    kinds,
    language,
    created: exactSeconds(createdAt),
    reachable: isReachable,
    last_message:
      lastState === null ? null : { state: lastState, reason: lastReason, created: exactSecondsOrNull(lastAt) },
  };
}
