import { createFinisher } from '@mediagate/billing';
import type { SendingRules } from '@mediagate/callbacks';
import { type ChannelChooser, createEndMetrics, type KnownLabels } from '@mediagate/channels';
import type { Nano } from '@mediagate/contracts';
import type { Database, NoticeReach } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { MediaStore } from '@mediagate/media';
import type { Mailer } from '@mediagate/notices';
import type { Queues } from '@mediagate/queue';
import type { Registry } from 'prom-client';
import type { Job } from './job';
import { auditLedger, auditRequested } from './jobs/audit-ledger';
import { closeBooks } from './jobs/close-books';
import { dispatchTasks } from './jobs/dispatch-tasks';
import { endAbandonedTasks } from './jobs/end-abandoned-tasks';
import { enqueueDueDeliveries } from './jobs/enqueue-due-deliveries';
import { enqueueDueTasks } from './jobs/enqueue-due-tasks';
import { expireTasks, expireUnstartedTasks } from './jobs/expire-tasks';
import { handOverSlots } from './jobs/hand-over-slots';
import { measureDueTasks } from './jobs/measure-due-tasks';
import { measureStanding } from './jobs/measure-standing';
import { notePromotion } from './jobs/note-promotion';
import {
  pruneDestinations,
  pruneFingerprints,
  pruneIdempotency,
  pruneMediaRecords,
  pruneTaskRecords,
} from './jobs/prune-records';
import { expireMedia, releaseInputs, removeStrayObjects } from './jobs/remove-files';
import { sendNotices } from './jobs/send-notices';
import { sumUsageDays } from './jobs/sum-usage-days';
import { tellNotices } from './jobs/tell-notices';

export interface JobDeps {
  database: Database;
  queues: Queues;
  channels: Pick<ChannelChooser, 'serving'>;
  media: Pick<MediaStore, 'expireMedia' | 'inputs' | 'pruneMedia' | 'strayObjects'>;
  logger: Logger;
  metrics: Registry;
  /** The values that labels of metrics take: models of the catalogue, channels of the operator's file. */
  labels: KnownLabels;
  retentionDays: number;
  fingerprintDays: number;
  /** Undefined: books are kept whole. */
  booksRetentionMonths?: number | undefined;
  auditEveryMs: number;
  /** An account that was ever topped up counts as low below this balance. */
  lowBalanceNano: Nano;
  /** The most starts of a family in the queue's fair line. */
  windowJobs: number;
  notices: NoticeDeps;
  /** Default: that of the job. */
  abandonedAfterMs?: number;
}

export interface NoticeDeps {
  /** The rules of callbacks, for targets that holders of accounts have named. */
  accountRules(): SendingRules;
  operatorRules(): SendingRules;
  mailer: Mailer | undefined;
  /** How long a batch of messages takes at most. Default: that of the sender. */
  batchMs?: number;
  /** The addresses that these rules and the mailer can reach, for processes that judge new targets. */
  reach(): NoticeReach;
}

export type Jobs = ReturnType<typeof createJobs>;

/** Every job of the reconciler. */
export function createJobs({ database, queues, channels, media, logger, metrics, labels, ...settings }: JobDeps) {
  const finish = createFinisher(database, { onEnded: createEndMetrics(metrics, labels) });
  const tasks = { database, queue: queues, logger, finish };
  return {
    dispatchTasks: dispatchTasks({ database, queues, windowJobs: settings.windowJobs }),
    enqueueDueTasks: enqueueDueTasks(database, queues),
    enqueueDueDeliveries: enqueueDueDeliveries(tasks),
    expireTasks: expireTasks(tasks),
    expireUnstartedTasks: expireUnstartedTasks(tasks),
    handOverSlots: handOverSlots({ database, channels, queues, metrics }),
    endAbandonedTasks: endAbandonedTasks(tasks, { lapsedForMs: settings.abandonedAfterMs }),
    expireMedia: expireMedia(media, logger),
    releaseInputs: releaseInputs(media, logger),
    pruneMediaRecords: pruneMediaRecords(media),
    removeStrayObjects: removeStrayObjects(media, logger),
    pruneTaskRecords: pruneTaskRecords(database, settings.retentionDays),
    pruneIdempotency: pruneIdempotency(database),
    pruneDestinations: pruneDestinations(database),
    pruneFingerprints: pruneFingerprints(database, settings.fingerprintDays),
    notePromotion: notePromotion(database, logger),
    sumUsageDays: sumUsageDays(database),
    closeBooks: closeBooks(database, { logger, metrics, retentionMonths: settings.booksRetentionMonths }),
    measureDueTasks: measureDueTasks(database, metrics),
    measureStanding: measureStanding(database, { metrics, labels, lowBalanceNano: settings.lowBalanceNano }),
    tellNotices: tellNotices(database, settings.notices.reach, settings.booksRetentionMonths !== undefined),
    sendNotices: sendNotices({ ...settings.notices, database, logger, metrics }),
    auditRequested: auditRequested(database),
    auditLedger: auditLedger(database, { logger, metrics, everyMs: settings.auditEveryMs }),
  } satisfies Record<string, Job>;
}
