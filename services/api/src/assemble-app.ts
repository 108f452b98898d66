import { createEarlierFinder } from '@mediagate/billing';
import type { GuardedClient } from '@mediagate/egress';
import { createKeyFinder, createOperatorFinder } from '@mediagate/identity';
import { createMediaChecker, createMediaLoader, type Prober } from '@mediagate/media';
import type { Queues, RedisClient } from '@mediagate/queue';
import type { Registry } from 'prom-client';
import type { Api } from './api';
import type { AppParts } from './app';
import { createRequestRecorder } from './http/access-record';
import { createAuthenticator } from './http/authenticate';
import { createOperatorAuthenticator } from './http/authenticate-operator';
import { SETTING_FIELDS } from './http/key-fields';
import { Pace } from './http/limits/pace';
import { createRateLimit } from './http/limits/rate-limit';
import type { Operators } from './operators';
import { ENDED_RECORDS, WRONG_TOKENS_PER_ADDRESS } from './request-limits';
import { EndedRecords } from './routes/public/tasks/ended-records';
import { createAdmitTest } from './use-cases/admit-test';
import { type BookTaskDeps, createBookTask } from './use-cases/book-task';
import { createEnqueueTask, type EnqueueTaskDeps } from './use-cases/enqueue-task';
import { ManageKeys } from './use-cases/manage-keys';
import { createMarginSlots } from './use-cases/margin-report';
import { createMediaGate } from './use-cases/media-gate';
import { createSaveUpload } from './use-cases/save-upload';
import { SlotQueue } from './use-cases/slot-queue';
import { createUsageSlots } from './use-cases/usage-report';

/** Parts of `Api` that are made here. */
type Made =
  | 'bookTask'
  | 'documents'
  | 'endedRecords'
  | 'enqueueTask'
  | 'findEarlier'
  | 'loadMedia'
  | 'manageKeys'
  | 'mediaGate'
  | 'saveUpload'
  | 'slots'
  | 'usageSlots';

/** Resources that the application uses; `startApi` opens them. */
export interface AppResources
  extends Omit<Api, Made>,
    Omit<Operators, 'manageKeys' | 'marginSlots'>,
    Pick<AppParts, 'scopes' | 'bodyPace' | 'logger' | 'legacyPrefix' | 'pageOrigins'> {
  links: Operators['links'];
  catalogue: Operators['catalogue'];
  pepper: string;
  queues: EnqueueTaskDeps['queues'] & Pick<Queues, 'counts'>;
  /** The Redis client of the rate limits; its commands must have a time limit. */
  redis: RedisClient;
  redisPrefix: string;
  submit: BookTaskDeps['submit'];
  /** How long a caller waits for a slot of its key. */
  slotWaitMs: number | undefined;
  prober: Prober;
  client: Pick<GuardedClient, 'checkUrl' | 'download' | 'stream'>;
  metrics: Registry;
  /** A key was let in. */
  noteKeyUse(keyId: string): void;
  /** Starts of a family that wait in each line of its queue at most. */
  windowJobs: number;
}

/** Makes what an application of any audience serves with; a process calls it once. */
export function assembleApp({ pepper, ...resources }: AppResources): AppParts {
  const { database, redis, redisPrefix: prefix, logger, metrics, shutdown, noteKeyUse: noteUse } = resources;
  const authenticator = createAuthenticator({ findKey: createKeyFinder(database), pepper, noteUse });
  const manageKeys = new ManageKeys({ database, pepper, fieldNames: SETTING_FIELDS });
  return {
    ...resources,
    api: { ...resources, ...submitting(resources, authenticator.forget), manageKeys },
    operators: { ...resources, manageKeys, marginSlots: createMarginSlots() },
    authenticator,
    authenticateOperator: createOperatorAuthenticator(
      createOperatorFinder(database, pepper),
      new Pace(WRONG_TOKENS_PER_ADDRESS),
    ),
    rateLimit: createRateLimit({ redis, prefix, logger }),
    recordRequest: createRequestRecorder(logger, metrics, shutdown),
  };
}

/** Makes the parts of `Api` by which submissions are judged, kept and booked. */
function submitting(
  resources: Omit<AppResources, 'pepper'>,
  forgetKey: (keyId: string) => void,
): Pick<Api, Exclude<Made, 'documents' | 'manageKeys'>> {
  const { database, queues, client, mediaStore, prober, logger, windowJobs, maxImageBytes } = resources;
  const saveUpload = createSaveUpload(mediaStore, resources.uploadQuotas);
  const checkMedia = createMediaChecker({ client, store: mediaStore, prober });
  const slots = new SlotQueue({ waitMs: resources.slotWaitMs });
  return {
    saveUpload,
    slots,
    mediaGate: createMediaGate({ maxImageBytes, checkMedia, saveUpload, checkUrl: (url) => client.checkUrl(url) }),
    loadMedia: createMediaLoader({ client, store: mediaStore, prober }),
    findEarlier: createEarlierFinder(database),
    bookTask: createBookTask({ submit: resources.submit, slots, admitTest: createAdmitTest(resources), forgetKey }),
    enqueueTask: createEnqueueTask({ queues, logger, windowJobs }),
    endedRecords: new EndedRecords(ENDED_RECORDS),
    usageSlots: createUsageSlots(),
  };
}
