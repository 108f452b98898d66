import { hostSettings } from '@mediagate/host';

export const deliverySettings = {
  ...hostSettings,
  DATABASE_URL: {
    type: 'url',
    secret: true,
    about: 'PostgreSQL, for example postgresql://user:password@host:5432/mediagate',
  },
  REDIS_URL: { type: 'url', secret: true, about: 'Redis, for example redis://host:6379' },
  MEDIAGATE_CONFIG: { type: 'string', default: null, about: 'path of the configuration file; absent: its defaults' },
  PUBLIC_BASE_URL: { type: 'url', about: 'where callers reach the gateway; no callback is ever sent to its host' },
  OWN_HOSTS: {
    type: 'list',
    default: [],
    about: 'further host names and addresses of this deployment, comma separated',
  },
  CREDITS_PER_UNIT: { type: 'integer', default: 10, min: 1, max: 1_000_000, about: 'credits of one currency unit' },
  DELIVERY_CONCURRENCY: {
    type: 'integer',
    default: 128,
    min: 1,
    max: 4096,
    about: 'callbacks in flight in this process',
  },
  DELIVERY_POOL_SIZE: { type: 'integer', default: 10, min: 1, max: 100, about: 'database connections of this process' },
} as const;
