import {
  type DeliveryState,
  describeDelivery,
  type EndedState,
  findDelivery,
  type ListedDelivery,
  listDeliveries,
  type RedeliveryFilter,
  redeliver,
  redeliveredOf,
  redeliverMany,
} from '@mediagate/callbacks';
import type { TaskId } from '@mediagate/contracts';
import { openCallbacks } from '../open-callbacks';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export interface ListOptions {
  task?: string;
  account?: string;
  state?: DeliveryState;
  limit: number;
}

export async function list(session: Session, { task, account, state, limit }: ListOptions): Promise<Answer> {
  const callbacks = await openCallbacks(session);
  const isWanted = ({ accountId, state: has }: ListedDelivery) =>
    (account ?? accountId) === accountId && (state ?? has) === has;
  if (task !== undefined) {
    const found = await findDelivery(callbacks, { taskId: task });
    const own = found && isWanted(found) ? [found] : [];
    return { json: own.map(describeDelivery), text: toText(own) };
  }
  const shown: ListedDelivery[] = [];
  let next: string | undefined;
  do {
    const page = await listDeliveries(callbacks, {
      accountId: account,
      state,
      before: next,
      limit: limit - shown.length,
    });
    shown.push(...page.rows);
    next = page.next;
  } while (next !== undefined && shown.length < limit);
  if (next !== undefined) session.warn(`only the newest ${limit} are listed: --limit shows more`);
  return { json: shown.map(describeDelivery), text: toText(shown) };
}

function toText(deliveries: readonly ListedDelivery[]): string {
  return textTable(
    ['ID', 'TASK', 'STATE', 'TRIES', 'LAST', 'CREATED', 'URL', 'REASON'],
    deliveries.map(({ id, taskId: task, state, attempts, createdAt, url, reason }) => {
      const last = attempts.at(-1);
      const answer = last?.httpStatus ?? last?.error ?? '';
      return [id, task, state, String(attempts.length), String(answer), createdAt.toISOString(), url, reason ?? ''];
    }),
  );
}

export interface AgainOptions {
  state?: EndedState;
  task?: readonly TaskId[];
  account?: string;
  after?: Date;
  createdBefore?: Date;
  before?: TaskId;
  limit: number;
  reason?: string;
}

/** One that is named, or all that the options mean. */
export async function again(session: Session, id: string | undefined, options: AgainOptions): Promise<Answer> {
  const { state, task: taskIds, account: accountId, after: createdFrom, reason, ...rest } = options;
  if (id === undefined) {
    if (state === undefined && taskIds === undefined) throw new Refusal('name a delivery, or give --state or --task');
    return againMany(session, { ...rest, state, taskIds, accountId, createdFrom }, reason);
  }
  const { createdBefore, before } = rest;
  if ([state, taskIds, accountId, createdFrom, createdBefore, before].some((option) => option !== undefined))
    throw new Refusal('a delivery that is named takes no other option but --reason');
  return againOne(session, id, reason);
}

async function againMany(session: Session, filter: RedeliveryFilter, reason: string | undefined): Promise<Answer> {
  const callbacks = await openCallbacks(session);
  const outcome = await redeliverMany(callbacks, filter, changeBy(session, reason));
  const { redelivered, next } = redeliveredOf(await requireChanged(outcome, () => 'there is always a count'));
  if (next !== undefined) session.warn(`there may be more: --before ${next} goes on`);
  return { json: { redelivered, next: next ?? null }, text: `${redelivered} deliveries are due now` };
}

async function againOne(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const callbacks = await openCallbacks(session);
  const outcome = await redeliver(callbacks, { id }, changeBy(session, reason));
  await requireChanged(outcome, async () =>
    (await findDelivery(callbacks, { id })) ? `delivery ${id} is still being tried: nothing was changed` : unknown(id),
  );
  return { json: { id, state: 'pending' }, text: `delivery ${id} is due now` };
}

export async function cancel(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const callbacks = await openCallbacks(session);
  const outcome = await callbacks.database.cancelDelivery(id, changeBy(session, reason));
  await requireChanged(outcome, async () =>
    (await findDelivery(callbacks, { id })) ? `delivery ${id} has ended: nothing was changed` : unknown(id),
  );
  return { json: { id, state: 'dropped' }, text: `delivery ${id} is not sent any more` };
}

function unknown(id: string): string {
  return `there is no delivery ${id}`;
}
