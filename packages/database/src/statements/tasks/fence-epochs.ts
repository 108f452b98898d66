import type { Statement } from '../../statement';

/** A lost database may have begun so many epochs that nobody here knows of: as many promotions since it was copied. */
export const EPOCHS_PASSED = 10;

export interface FenceEpoch {
  /** Null: none was begun. */
  epoch: number | null;
  /** Null: the server does not show it, so that a promotion is not found. */
  timeline: number | null;
  /** The newest transaction of the lost primary that a promoted standby knows; null: no standby was promoted. */
  knownUntil: Date | null;
}

const BEGUN = `select e.epoch, database_timeline() as timeline, e.known_until as "knownUntil" from (select) one left join`;

/** Writes down the epoch that a promotion has begun, once: claims are in it from the first one on. */
export const notePromotion: Statement<[], FenceEpoch> = {
  text: `${BEGUN} raise_fences('promoted', 0) e on true`,
  values: () => [],
};

/** Begins an epoch by hand, where a promotion cannot be found. */
export const raiseFences: Statement<[], FenceEpoch> = {
  text: `${BEGUN} raise_fences('raised', ${EPOCHS_PASSED}) e on true`,
  values: () => [],
};

/** Reads when the database was made: a restored one says the same. */
export const readBeginning: Statement<[], { at: Date }> = {
  text: 'select began_at as at from fence_epochs order by epoch limit 1',
  values: () => [],
};
