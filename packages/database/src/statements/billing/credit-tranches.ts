import { bookable, type Nano, type TaskId } from '@mediagate/contracts';
import { joinJsonTexts, jsonTexts } from '../../json-texts';
import type { Statement } from '../../statement';
import { KEY_REMAIN, KEY_REMAIN_AT_MOST } from './balances';

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
  text: `select * from book_drawn($1, $2, $3, $4, $5, $6, $7, ${jsonTexts('$8')}, $9, $10, $11)`,
  values: (wishes, tasks, { lifeMs, headroom, lockWaitMs }) => [
    wishes.map((wish) => wish.id),
    wishes.map((wish) => wish.accountId),
    wishes.map((wish) => wish.keyId),
    wishes.map((wish) => wish.opens),
    wishes.map((wish) => wish.wantedNano),
    tasks.map((task) => task.tranche),
    tasks.map((task) => task.taskId),
    joinJsonTexts(tasks.map((task) => task.payload)),
    lifeMs,
    headroom,
    lockWaitMs,
  ],
};

/** What a submission of a key needs. */
export interface CreditNeed {
  keyId: string;
  amountNano: Nano;
}

/** Of a need. */
export interface CreditCallRow {
  /** Account and key can spend it now. */
  covered: boolean;
  /** They can once all credit of theirs is back. */
  coverable: boolean;
}

/**
 * Tells the processes that have taken credit of an account to give it back, if one of the needs is covered by that and not without; of those that say
 * so at one time, one writes it. Rows are in the order of the needs; of a key that is not there, both are false.
 */
export const callCreditIn: Statement<[accountId: string, needs: readonly CreditNeed[]], CreditCallRow> = {
  text: `
with need as materialized (
  select w.place,
    coalesce(w.amount <= least(a.topped_up_nano - a.held_nano - a.settled_nano - a.credit_nano, ${KEY_REMAIN}), false) as covered,
    coalesce(w.amount <= least(a.topped_up_nano - a.held_nano - a.settled_nano, ${KEY_REMAIN_AT_MOST}), false) as coverable
  from unnest($2::text[], $3::bigint[]) with ordinality as w(key_id, amount, place)
  left join (api_keys k join accounts a on a.id = k.account_id join api_keys o on o.id = coalesce(k.maker_id, k.id))
    on k.id = w.key_id and a.id = $1
),
called as (
  update accounts set credit_called_at = now()
  where id = $1 and (credit_called_at > now() - interval '1 second') is not true
    and exists (select from need where coverable and not covered)
)
select covered, coverable from need order by place`,
  values: (accountId, needs) => [
    accountId,
    needs.map(({ keyId }) => keyId),
    needs.map(({ amountNano }) => bookable(amountNano)),
  ],
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
