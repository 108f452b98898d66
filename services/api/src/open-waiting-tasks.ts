import type { createFinisher } from '@mediagate/billing';
import { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import type { createEndMetrics } from '@mediagate/metrics';
import type { Queues } from '@mediagate/queue';
import type { StreamReceiver } from '@mediagate/streams';
import { createTaskReader, renewSubmitterLeases } from '@mediagate/tasks';
import type { ApiConfig } from './config';
import { openPayments } from './open-payments';
import { BOOKING_WAITS, type SpeechLimits, TASK_WAITS, type WaitLimits } from './request-limits';
import { takeWaitSlot } from './routes/tasks/wait-for-end';
import { BookingWatch } from './use-cases/booking-watch';
import { createSpeeches } from './use-cases/speech/speeches';
import { TaskWatch } from './use-cases/task-watch';
import { createSettlements } from './use-cases/text/settlements';
import { keepTextLeases } from './use-cases/text/text-leases';

interface WaitingDeps {
  config: ApiConfig;
  database: Database;
  finish: ReturnType<typeof createFinisher>;
  onEnded: ReturnType<typeof createEndMetrics>;
  streams: StreamReceiver;
  queues: Queues;
  times: { speech?: Partial<SpeechLimits> };
  waits?: WaitLimits;
}

/** The tasks whose callers wait for the answer itself, and how they end. */
export function openWaitingTasks(
  scope: Scope,
  { config, database, finish, onEnded, streams, queues, times, waits = TASK_WAITS }: WaitingDeps,
) {
  const { logger, metrics } = scope;
  const readTask = createTaskReader(database);
  const { credit, payments } = openPayments({ config, database, finish, onEnded });
  const settlements = createSettlements({ finish, credit, readTask, logger, metrics });
  const leases = keepTextLeases({
    inFlight: () => settlements.inFlight(),
    cancel: (taskId) => settlements.cancel(taskId),
    logger,
    renew: (ids, leaseMs) => renewSubmitterLeases(database, ids, leaseMs),
  });
  scope.defer('leases of texts', () => leases.stop());
  const taskWatch = new TaskWatch({ findChanged: (seen) => database.findChangedTasks(seen), logger });
  scope.onDrain('waiting callers', () => taskWatch.close());
  const speeches = createSpeeches({
    streams,
    queues,
    logger,
    finish,
    readTask,
    findCancelled: async (ids) => (await database.findCancelled(ids)).map(({ id }) => id),
    async declineCancel(task) {
      await database.declineCancel(task);
    },
    limits: times.speech ?? {},
  });
  const waitSlots = slotsOf(waits);
  return {
    payments,
    settlements,
    taskWatch,
    waitSlots,
    speeches,
    bookings: watchBookings({ config, database, logger }),
  };
}

function slotsOf({ max, accountMax }: WaitLimits): Slots {
  return new Slots({ capacity: max, perOwner: accountMax });
}

type BookingParts = Pick<WaitingDeps, 'config' | 'database'> & Pick<Scope, 'logger'>;

/** Of texts of any process: those of the others are on credit where those of this one are. */
function watchBookings({ config, database, logger }: BookingParts): BookingWatch {
  const slots = slotsOf(BOOKING_WAITS);
  return new BookingWatch({
    findOwners: (ids) => database.findTaskOwners(ids),
    withinMs: config.TEXT_CREDIT === 0 ? 0 : config.TEXT_CREDIT_SECONDS * 1000,
    takeSlot: (accountId) => takeWaitSlot(slots, { accountId }),
    logger,
  });
}
