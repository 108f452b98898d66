import { channelOriginSettings, vendorSecretSettings } from '@mediagate/channels/process-settings';

/** Settings of the command line. All may be missing: what is not here is looked up in MEDIAGATE_HOME. */
export const cliSettings = {
  DATABASE_URL: { type: 'url', default: null, secret: true, about: 'PostgreSQL; absent: the one in run.json' },
  REDIS_URL: { type: 'url', default: null, secret: true, about: 'Redis; absent: the one in run.json' },
  REDIS_PREFIX: { type: 'string', default: 'mediagate', about: 'separates deployments that share a Redis' },
  MEDIAGATE_HOME: {
    type: 'string',
    default: null,
    about: "folder of run.json and secrets.json; absent: the checkout's .mediagate",
  },
  CONSOLE_PUBLIC_URL: {
    type: 'http',
    default: null,
    about: 'where browsers reach the console, for links; absent: that of run.json',
  },
  PUBLIC_BASE_URL: {
    type: 'http',
    default: null,
    about: 'where callers reach the API; absent: that of run.json',
  },
  MEDIAGATE_CONFIG: {
    type: 'string',
    default: null,
    about: 'configuration file; absent: the one that npm start runs with',
  },
  MEDIAGATE_KEY_PEPPER: {
    type: 'string',
    default: null,
    secret: true,
    about: 'key of the hash of API keys; absent: the one in secrets.json',
  },
  ...vendorSecretSettings,
  ...channelOriginSettings,
  CREDITS_PER_UNIT: { type: 'integer', default: 10, min: 1, max: 1_000_000, about: 'credits of one currency unit' },
} as const;
