import { createEarlierFinder } from '@mediagate/billing';
import type { GuardedClient } from '@mediagate/egress';
import { createKeyFinder, createOperatorFinder } from '@mediagate/identity';
import { createMediaLoader } from '@mediagate/media';
import type { Queues, RedisClient } from '@mediagate/queue';
import type { Registry } from 'prom-client';
import type { Api } from './api';
import type { AppParts } from './app';
import { createRequestRecorder } from './http/access-record';
import { createAuthenticator } from './http/authenticate';
import { createOperatorAuthenticator } from './http/authenticate-operator';
import { Pace } from './http/limits/pace';
import { createRateLimit } from './http/limits/rate-limit';
import type { Operators } from './operators';
import { ENDED_RECORDS, WRONG_TOKENS_PER_ADDRESS } from './request-limits';
import { EndedRecords } from './routes/public/tasks/ended-records';
import { createEnqueueTask, type EnqueueTaskDeps } from './use-cases/enqueue-task';
import { createMarginSlots } from './use-cases/margin-report';
import { SlotQueue } from './use-cases/slot-queue';
import { createUsageSlots } from './use-cases/usage-report';

/** Parts of `Api` that are made here. */
type Made =
  | 'documents'
  | 'endedRecords'
  | 'enqueueTask'
  | 'findEarlier'
  | 'forgetKey'
  | 'loadMedia'
  | 'slots'
  | 'usageSlots';

/** Resources that the application uses; `startApi` opens them. */
export interface AppResources
  extends Omit<Api, Made>,
    Omit<Operators, 'marginSlots'>,
    Pick<AppParts, 'scopes' | 'bodyPace' | 'logger' | 'legacyPrefix' | 'pageOrigins'> {
  links: Operators['links'];
  catalogue: Operators['catalogue'];
  queues: EnqueueTaskDeps['queues'] & Pick<Queues, 'counts'>;
  /** The Redis client of the rate limits; its commands must have a time limit. */
  redis: RedisClient;
  redisPrefix: string;
  /** How long a caller waits for a slot of its key. */
  slotWaitMs: number | undefined;
  client: Pick<GuardedClient, 'checkUrl' | 'download' | 'stream'>;
  metrics: Registry;
  /** A key was let in. */
  noteKeyUse(keyId: string): void;
  /** Starts of a family that wait in each line of its queue at most. */
  windowJobs: number;
}

/** Makes what an application of any audience serves with; a process calls it once. */
export function assembleApp(resources: AppResources): AppParts {
  const { database, pepper, redis, redisPrefix: prefix, logger, metrics, shutdown, noteKeyUse: noteUse } = resources;
  const authenticator = createAuthenticator({ findKey: createKeyFinder(database), pepper, noteUse });
  return {
    ...resources,
    api: { ...resources, ...submitting(resources), forgetKey: authenticator.forget },
    operators: { ...resources, marginSlots: createMarginSlots() },
    authenticator,
    authenticateOperator: createOperatorAuthenticator(
      createOperatorFinder(database, pepper),
      new Pace(WRONG_TOKENS_PER_ADDRESS),
    ),
    rateLimit: createRateLimit({ redis, prefix, logger }),
    recordRequest: createRequestRecorder(logger, metrics, shutdown),
  };
}

/** Makes the parts of `Api` by which submissions are kept and booked. */
function submitting(resources: AppResources): Pick<Api, Exclude<Made, 'documents' | 'forgetKey'>> {
  const { database, queues, client, mediaStore, prober, logger, windowJobs, slotWaitMs } = resources;
  return {
    slots: new SlotQueue({ waitMs: slotWaitMs }),
    loadMedia: createMediaLoader({ client, store: mediaStore, prober }),
    findEarlier: createEarlierFinder(database),
    enqueueTask: createEnqueueTask({ queues, logger, windowJobs }),
    endedRecords: new EndedRecords(ENDED_RECORDS),
    usageSlots: createUsageSlots(),
  };
}
