import {
  type AttemptStart,
  type ClaimedDelivery,
  createBatcher,
  type Database,
  type DeliveryClaim,
  type StartedAttempt,
} from '@mediagate/database';
import { type AttemptRecord, claimKey, recordAttempts, startAttempts } from './attempts';
import { claimDeliveries } from './deliveries';

/** What the sender of callbacks writes, one delivery at a time to its caller; what comes together shares a statement. */
export interface DeliveryWrites {
  /** As `claimDelivery`. */
  claim(deliveryId: string): Promise<ClaimedDelivery | undefined>;
  /** As `startAttempt`. */
  start(claim: DeliveryClaim, start: AttemptStart): Promise<StartedAttempt | undefined>;
  /** As `recordAttempt`. */
  record(claim: DeliveryClaim, record: AttemptRecord): Promise<boolean>;
}

const BATCH = { maxItems: 64, maxWaiting: 5000 };

export function createDeliveryWrites(database: Database): DeliveryWrites {
  const claim = createBatcher<string, ClaimedDelivery | undefined>({
    ...BATCH,
    tally: database.tally('delivery_claims'),
    run: async (ids) => {
      const claims = new Map((await claimDeliveries(database, ids)).map((claimed) => [claimed.id, claimed]));
      // A delivery named twice was claimed once: only the first to ask has it.
      return ids.map((id) => {
        const claimed = claims.get(id);
        claims.delete(id);
        return claimed;
      });
    },
  });
  const start = createBatcher<DeliveryClaim & AttemptStart, StartedAttempt | undefined>({
    ...BATCH,
    tally: database.tally('delivery_starts'),
    run: async (starts) => {
      const started = await startAttempts(database, starts);
      return starts.map((item) => started.get(claimKey(item)));
    },
  });
  const record = createBatcher<DeliveryClaim & AttemptRecord, boolean>({
    ...BATCH,
    tally: database.tally('delivery_records'),
    run: async (records) => {
      const moved = await recordAttempts(database, records);
      return records.map((item) => moved.has(claimKey(item)));
    },
  });
  return {
    claim,
    start: ({ id, fence }, options) => start({ ...options, id, fence }),
    record: ({ id, fence }, options) => record({ ...options, id, fence }),
  };
}
