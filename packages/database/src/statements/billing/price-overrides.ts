import type { Statement } from '../../statement';
import { change, noteOf, withNote } from '../identity/note';

/** A price in nano-units, as decimal text: for a whole task, or by unit. */
export type StoredPrice = { perTask: string } | { units: Record<string, string> };

export interface PriceToSet {
  billingKey: string;
  /** Null: as the configuration file says. */
  price: StoredPrice | null;
  /** Null: as soon as every process knows it. */
  effectiveAt: Date | null;
  /** How long before its moment every process must know it. */
  leadMs: number;
  /** The key's price where no operator has set one; for the audit log. */
  withoutOverride: StoredPrice | null;
}

/**
 * Sets a price from a moment on. No row: the moment is sooner than every process would know of it.
 *
 * @throws DatabaseConflictError where it has become so by the time that the statement ends (`refuse_late_price`): nothing was written.
 */
export const addPriceOverride = change<[wanted: PriceToSet]>({
  text: withNote(`
moment as materialized (
  select now() + $5::float8 * interval '1 millisecond' as earliest
),
old as materialized (
  select p.price from price_overrides p, moment m
  where p.billing_key = $2 and p.effective_at <= coalesce($4::timestamptz, m.earliest)
  order by p.effective_at desc, p.id desc limit 1
),
new as (
  insert into price_overrides (billing_key, price, effective_at, set_by, reason)
  select $2, $3::text::jsonb, coalesce($4::timestamptz, m.earliest), $6, $7 from moment m
  where coalesce($4::timestamptz >= m.earliest, true)
  returning billing_key, price, effective_at, id
),
changed as (
  select new.billing_key as subject, jsonb_build_object('price', coalesce((select old.price from old), $8::text::jsonb)) as before,
    jsonb_build_object('price', new.price, 'effective_at', new.effective_at, 'id', new.id::text) as after
  from new
)`),
  values: ({ billingKey, price, effectiveAt, leadMs, withoutOverride }, request) => [
    noteOf('price.set', request),
    billingKey,
    price === null ? null : JSON.stringify(price),
    effectiveAt,
    leadMs,
    request.actor,
    request.reason ?? null,
    withoutOverride === null ? null : JSON.stringify(withoutOverride),
  ],
});

export interface PriceStep {
  id: bigint;
  billingKey: string;
  price: StoredPrice | null;
  /** The time until it takes effect, by the database's clock; below zero: it is in effect. */
  effectiveInMs: number;
  effectiveAt: Date;
}

/** The price of each billing key in effect, and every later one: operators' changes alone bound their number, and none is left out. */
export const followPrices: Statement<[], PriceStep> = {
  text: `
select p.id, p.billing_key as "billingKey", p.price, p.effective_at as "effectiveAt",
  (extract(epoch from p.effective_at - now()) * 1000)::float8 as "effectiveInMs"
from price_overrides p
where p.effective_at > now() or p.id in (
  select distinct on (o.billing_key) o.id from price_overrides o where o.effective_at <= now()
  order by o.billing_key, o.effective_at desc, o.id desc
)
order by p.effective_at, p.id`,
  values: () => [],
};

export interface ListedPriceOverride {
  id: bigint;
  billingKey: string;
  price: StoredPrice | null;
  effectiveAt: Date;
  setBy: string;
  reason: string | null;
  createdAt: Date;
}

const LISTED = `
select p.id, p.billing_key as "billingKey", p.price, p.effective_at as "effectiveAt", p.set_by as "setBy", p.reason,
  p.created_at as "createdAt"
from price_overrides p`;

/** Lists the overrides written before an id, the newest first. */
export const listPriceOverrides: Statement<[page: { before: bigint; limit: number }], ListedPriceOverride> = {
  text: `${LISTED} where p.id < $1 order by p.id desc limit $2`,
  values: ({ before, limit }) => [before, limit],
};

/** Lists those of one billing key. */
export const listPriceOverridesOf: Statement<
  [billingKey: string, page: { before: bigint; limit: number }],
  ListedPriceOverride
> = {
  text: `${LISTED}
where (p.billing_key, p.id) < ($1, $2) and p.billing_key >= $1 order by p.billing_key desc, p.id desc limit $3`,
  values: (billingKey, { before, limit }) => [billingKey, before, limit],
};
