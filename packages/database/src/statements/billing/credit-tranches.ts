import type { Nano, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { KEY_OF_ACCOUNT, KEY_REMAIN } from './balances';

/** What a process wants of a tranche in one statement. */
export interface TrancheWish {
  id: string;
  accountId: string;
  keyId: string;
  /** It is new: it gets its row first. */
  opens: boolean;
  /** What is to be left of it afterwards, if that may be; 0: it is given back. */
  wantedNano: Nano;
}

/** A task that was drawn from a tranche. */
export interface DrawnTask {
  /** Position of its tranche among the wishes, from 1. */
  tranche: number;
  taskId: TaskId;
  /** The other columns, as a JSON text. */
  payload: string;
}

export interface BookDrawnOptions {
  /** Of a tranche that nobody renews. */
  lifeMs: number;
  /** So many times what is wanted an account and a key must have beside it. */
  headroom: number;
  lockWaitMs: number;
}

export interface TrancheRow {
  /** False: there is no such tranche any more, or it does not cover its tasks. Nothing was written of it, then. */
  booked: boolean;
  /** False: nothing more may be drawn. */
  goes_on: boolean;
  left_nano: Nano;
  version: bigint;
}

/** The function `book_drawn` (`prisma/functions/book_drawn.sql`). Rows are in the order of the wishes. */
export const bookDrawn: Statement<
  [wishes: readonly TrancheWish[], tasks: readonly DrawnTask[], options: BookDrawnOptions],
  TrancheRow
> = {
  text: 'select * from book_drawn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
  values: (wishes, tasks, { lifeMs, headroom, lockWaitMs }) => [
    wishes.map((wish) => wish.id),
    wishes.map((wish) => wish.accountId),
    wishes.map((wish) => wish.keyId),
    wishes.map((wish) => wish.opens),
    wishes.map((wish) => wish.wantedNano),
    tasks.map((task) => task.tranche),
    tasks.map((task) => task.taskId),
    tasks.map((task) => task.payload),
    lifeMs,
    headroom,
    lockWaitMs,
  ],
};

/**
 * Tells the processes that have taken credit of an account to give it back; of those that say so at one time, one writes it. The row: how much
 * they have, and what account and key can spend without it.
 */
export const callCreditIn: Statement<
  [place: { accountId: string; keyId: string }],
  { creditNano: Nano; availableNano: Nano }
> = {
  text: `
with called as (
  update accounts set credit_called_at = now()
  where id = $1 and credit_nano > 0 and (credit_called_at > now() - interval '1 second') is not true
)
select a.credit_nano as "creditNano",
  least(a.topped_up_nano - a.held_nano - a.settled_nano - a.credit_nano, ${KEY_REMAIN}) as "availableNano"
${KEY_OF_ACCOUNT} where k.id = $2 and a.id = $1`,
  values: ({ accountId, keyId }) => [accountId, keyId],
};

/** Tranches that nobody has renewed in time. */
export const findLapsedTranches: Statement<[limit: number], { id: string }> = {
  text: 'select id from credit_tranches where expires_at < now() order by expires_at limit $1',
  values: (limit) => [limit],
};

/** The function `lapse_tranches`. Those that were renewed meanwhile stay. */
export const lapseTranches: Statement<[ids: readonly string[]], { lapsed: bigint }> = {
  text: 'select lapse_tranches($1) as lapsed',
  values: (ids) => [ids],
};
