import {
  type AttemptStart,
  type AttemptToStart,
  type ClaimedDelivery,
  createBatcher,
  type Database,
  type DeliveryClaim,
  type DueForAttempt,
  type StartedAttempt,
} from '@mediagate/database';
import { type AttemptRecord, claimKey, recordAttempts, startAttempts } from './attempts';
import { claimDeliveries, readDeliveries } from './deliveries';

/** A delivery that an attempt may start from: claimed, or as it was read, so that the attempt is its claim, too. */
export type Startable = Pick<AttemptToStart, 'id' | 'fence' | 'attemptsMade' | 'isClaimed'>;

/** What the sender of callbacks reads and writes, one delivery at a time to its caller; what comes together shares a statement. */
export interface DeliveryWrites {
  /** A delivery that could be claimed now, as it is. Undefined: as for `claim`. */
  read(deliveryId: string): Promise<DueForAttempt | undefined>;
  /** As `claimDelivery`. */
  claim(deliveryId: string): Promise<ClaimedDelivery | undefined>;
  /** As `startAttempt`. Undefined also: it was not claimed, and is not as it was read any more. Of several callers, one gets it. */
  start(delivery: Startable, start: AttemptStart): Promise<StartedAttempt | undefined>;
  /** As `recordAttempt`. */
  record(claim: DeliveryClaim, record: AttemptRecord): Promise<boolean>;
}

const BATCH = { maxItems: 64, maxWaiting: 5000 };

export function createDeliveryWrites(database: Database): DeliveryWrites {
  const read = createBatcher<string, DueForAttempt | undefined>({
    ...BATCH,
    tally: database.tally('delivery_reads'),
    run: async (ids) => {
      const found = await readDeliveries(database, ids);
      return ids.map((id) => found.get(id));
    },
  });
  const claim = createBatcher<string, ClaimedDelivery | undefined>({
    ...BATCH,
    tally: database.tally('delivery_claims'),
    run: async (ids) => {
      const claims = new Map((await claimDeliveries(database, ids)).map((claimed) => [claimed.id, claimed]));
      return ids.map((id) => takeOut(claims, id));
    },
  });
  const start = createBatcher<AttemptToStart, StartedAttempt | undefined>({
    ...BATCH,
    tally: database.tally('delivery_starts'),
    run: async (starts) => {
      const started = await startAttempts(database, starts);
      return starts.map((item) => takeOut(started, claimKey(item)));
    },
  });
  const record = createRecorder(database);
  return {
    read,
    claim,
    start: ({ id, fence, attemptsMade, isClaimed }, options) =>
      start({ ...options, id, fence, attemptsMade, isClaimed }),
    record: ({ id, fence }, options) => record({ ...options, id, fence }),
  };
}

function createRecorder(database: Database): (item: DeliveryClaim & AttemptRecord) => Promise<boolean> {
  return createBatcher({
    ...BATCH,
    tally: database.tally('delivery_records'),
    run: async (records) => {
      const moved = await recordAttempts(database, records);
      return records.map((item) => moved.has(claimKey(item)));
    },
  });
}

/** What was named twice was had once: only the first to ask has it. */
function takeOut<T>(found: Map<string, T>, key: string): T | undefined {
  const item = found.get(key);
  found.delete(key);
  return item;
}
