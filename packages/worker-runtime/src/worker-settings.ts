import { channelOriginSettings, vendorSecretSettings } from '@mediagate/channels';
import { FAMILY_TRAITS, WORKER_FAMILIES } from '@mediagate/contracts';
import { databaseSettings } from '@mediagate/database';
import type { Config } from '@mediagate/host';
import { storageSettings, workFolderSettings, workSpaceSettings } from '@mediagate/media';
import { queueSettings } from '@mediagate/queue';

/** The pair by which results are signed, where the deployment or an account wants that. */
export const signingSettings = {
  MEDIAGATE_SIGNING_CERTIFICATE: {
    type: 'string',
    default: null,
    secret: true,
    about:
      'PEM of the certificate that signs results, and of its authorities behind it; media.marks: signed needs it, and so does an account with marks: signed; or secret:signing.NAME, of the secrets that the database keeps',
  },
  MEDIAGATE_SIGNING_KEY: {
    type: 'string',
    default: null,
    secret: true,
    about: 'PEM of its private key, without a password; or secret:signing.NAME',
  },
  MEDIAGATE_SIGNING_REVOCATIONS: {
    type: 'string',
    default: null,
    secret: true,
    about:
      'PEM of its authorities’ lists of revoked certificates (X509 CRL): nothing is signed by one that stands there; or secret:signing.NAME; absent: nobody is asked',
  },
} as const;

const needFfmpeg = WORKER_FAMILIES.filter((family) => FAMILY_TRAITS[family].needsFfmpeg);

/** Environment of every worker service. */
export const workerSettings = {
  ...databaseSettings,
  DATABASE_POOL_SIZE: { type: 'integer', default: 10, min: 2, max: 200, about: 'connections to PostgreSQL at most' },
  ...queueSettings,
  ...vendorSecretSettings,
  ...channelOriginSettings,
  MEDIAGATE_CONFIG: { type: 'string', about: 'path of the configuration file: channels, prices, storage' },
  ...storageSettings,
  ...workFolderSettings,
  ...workSpaceSettings,
  PUBLIC_BASE_URL: { type: 'http', about: 'where callers reach the API, for result links' },
  VENDOR_CALLBACK_BASE_URL: {
    type: 'http',
    default: null,
    about: 'where vendors reach the API from outside, to say that a job has moved on; absent: they are only asked',
  },
  ...signingSettings,
  WORKER_CONCURRENCY: {
    type: 'integer',
    default: null,
    min: 1,
    max: 20_000,
    about: "tasks in flight at once; absent: the family's own number",
  },
  FFMPEG_PATH: {
    type: 'string',
    default: null,
    about: `absolute path of ffmpeg, which makes covers, cuts and converts; required by ${needFfmpeg.join(', ')}`,
  },
  LEASE_SECONDS: { type: 'integer', default: 14, min: 1, max: 600, about: 'how long a silent worker keeps a task' },
} as const;

export type WorkerConfig = Config<typeof workerSettings>;
