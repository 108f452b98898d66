import { runSql } from '@mediagate/testkit';
import type { Caller, TestApi } from './test-api';
import { BODY, FLASH, type TextWorld } from './text-world';

const HAPPENS_WITHIN_MS = 120_000;

export const askText = (api: TestApi, { key }: Caller) => api.post(`${FLASH}:generateContent`, BODY, { key });

/** What processes have taken in advance of the caller's account, in nano-units. */
export async function creditOf({ api }: TextWorld, { accountId }: Caller): Promise<bigint> {
  return (await api.database.account.findUniqueOrThrow({ where: { id: accountId } })).creditNano;
}

const countTranches = async ({ api }: TextWorld, { accountId }: Caller) => {
  const [row] = await runSql<{ count: number }>(
    api.database,
    'select count(*)::int as count from credit_tranches where account_id = $1 and left_nano > 0',
    [accountId],
  );
  return row?.count ?? 0;
};

/** Sends texts, a few at once, until each of the processes has taken credit for them; how many were answered, once these are in the books. */
export async function makeBusy(world: TextWorld, caller: Caller, processes = [world.api]): Promise<number> {
  const limit = Date.now() + HAPPENS_WITHIN_MS;
  let answered = 0;
  while ((await countTranches(world, caller)) < processes.length) {
    if (Date.now() > limit) throw new Error('no credit was taken');
    const texts = processes.flatMap((api) => Array.from({ length: 4 }, () => askText(api, caller)));
    answered += (await Promise.all(texts)).filter(({ status }) => status === 200).length;
  }
  const { accountId } = caller;
  while ((await world.api.database.task.count({ where: { accountId, status: 'completed' } })) < answered)
    if (Date.now() > limit) throw new Error('an answered text is not booked');
  return answered;
}
