import { callbackOriginSettings } from '@mediagate/callbacks';
import { channelOriginSettings, vendorSecretSettings } from '@mediagate/channels';
/** Environment of the service, beside what every service has. */
export const deliverySettings = {
  DATABASE_URL: { type: 'url', secret: true, about: 'PostgreSQL' },
  DATABASE_POOL_SIZE: { type: 'integer', default: 10, min: 1, max: 200, about: 'connections to PostgreSQL at most' },
  DATABASE_CONNECTIONS: {
    type: 'integer',
    default: null,
    min: 1,
    about: 'connections that all processes together may open; compared with what the database accepts',
  },
  DATABASE_MAX_CONNECTIONS: {
    type: 'integer',
    default: null,
    min: 1,
    about: 'connections that a pooler at DATABASE_URL accepts; absent: PostgreSQL is asked',
  },
  REDIS_URL: { type: 'url', secret: true, about: 'Redis' },
  REDIS_PREFIX: { type: 'string', default: 'mediagate', about: 'separates deployments that share a Redis' },
  ...vendorSecretSettings,
  ...channelOriginSettings,
  ...callbackOriginSettings,
  MEDIAGATE_CONFIG: { type: 'string', about: 'path of the configuration file: rules and schedule of callbacks' },
  PUBLIC_BASE_URL: { type: 'url', about: 'where callers reach the API; no callback is ever sent to its host' },
  OWN_HOSTS: { type: 'list', default: [], about: 'further names and addresses of this deployment, for the same rule' },
  CREDITS_PER_UNIT: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 1_000_000,
    about: 'credits shown for one currency unit',
  },
  DELIVERY_CONCURRENCY: { type: 'integer', default: 256, min: 4, max: 4096, about: 'callbacks in flight at once' },
} as const;
