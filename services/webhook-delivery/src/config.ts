import { callbackOriginSettings, ownHostSettings } from '@mediagate/callbacks';
import { channelOriginSettings, vendorSecretSettings } from '@mediagate/channels';
import { databaseSettings } from '@mediagate/database';
import { queueSettings } from '@mediagate/queue';
/** Environment of the service, beside what every service has. */
export const deliverySettings = {
  ...databaseSettings,
  DATABASE_POOL_SIZE: { type: 'integer', default: 10, min: 1, max: 200, about: 'connections to PostgreSQL at most' },
  ...queueSettings,
  ...vendorSecretSettings,
  ...channelOriginSettings,
  ...callbackOriginSettings,
  MEDIAGATE_CONFIG: { type: 'string', about: 'path of the configuration file: rules and schedule of callbacks' },
  PUBLIC_BASE_URL: { type: 'http', about: 'where callers reach the API; no callback is ever sent to its host' },
  ...ownHostSettings,
  CREDITS_PER_UNIT: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 1_000_000,
    about: 'credits shown for one currency unit',
  },
  DELIVERY_CONCURRENCY: { type: 'integer', default: 256, min: 4, max: 4096, about: 'callbacks in flight at once' },
} as const;
