import {
  cancelDelivery,
  type DeliveryState,
  describeDelivery,
  findDelivery,
  hasDelivery,
  type ListedDelivery,
  listDeliveries,
  redeliver,
} from '@mediagate/webhooks';
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
  const database = await session.openDatabase();
  const isWanted = ({ accountId, state: has }: ListedDelivery) =>
    (account ?? accountId) === accountId && (state ?? has) === has;
  if (task !== undefined) {
    const found = await findDelivery(database, { taskId: task });
    const own = found && isWanted(found) ? [found] : [];
    return { json: own.map(describeDelivery), text: toText(own) };
  }
  const shown: ListedDelivery[] = [];
  let next: string | undefined;
  do {
    const page = await listDeliveries(database, {
      accountId: account,
      state,
      before: next,
      limit: limit - shown.length,
    });
    shown.push(...page.deliveries);
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

export async function again(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await redeliver(database, id, changeBy(session, reason));
  const { after } = await requireChanged(outcome, async () =>
    (await hasDelivery(database, id)) ? `delivery ${id} is still being tried: nothing was changed` : unknown(id),
  );
  const distinct = String(after['fence']);
  await session.enqueue((queues) => queues.enqueueDelivery({ deliveryId: id, attemptsMade: 0, distinct }));
  return { json: { id, state: 'pending' }, text: `delivery ${id} is due now` };
}

export async function cancel(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await cancelDelivery(database, id, changeBy(session, reason));
  await requireChanged(outcome, async () =>
    (await hasDelivery(database, id)) ? `delivery ${id} has ended: nothing was changed` : unknown(id),
  );
  return { json: { id, state: 'dropped' }, text: `delivery ${id} is not sent any more` };
}

function unknown(id: string): string {
  return `there is no delivery ${id}`;
}
