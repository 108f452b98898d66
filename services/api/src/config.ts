import { callbackOriginSettings, ownHostSettings } from '@mediagate/callbacks';
import { channelOriginSettings, vendorSecretSettings } from '@mediagate/channels';
import { databaseSettings } from '@mediagate/database';
import { type Config, connectionSettings } from '@mediagate/host';
import { storageSettings, workFolderSettings } from '@mediagate/media';
import { queueSettings, windowSettings } from '@mediagate/queue';

/** Settings of the API service, beside those of every service. */
export const apiSettings = {
  PORT: { type: 'port', default: 8080, about: 'port of the API' },
  HOST: { type: 'string', default: '127.0.0.1', about: 'address the API listens on; :: for all, of IPv6 and of IPv4' },
  ADMIN_PORT: {
    type: 'port',
    default: null,
    about: "port of the operators' API alone; absent: it is served on PORT, too",
  },
  PUBLIC_BASE_URL: {
    type: 'http',
    default: null,
    about: 'where callers reach the API, for links; absent: http://127.0.0.1:$PORT',
  },
  ...ownHostSettings,
  CORS_ORIGINS: {
    type: 'origins',
    takesAll: true,
    default: [],
    about: 'origins whose pages may call the API, as https://app.example, comma separated; * for all',
  },
  ...databaseSettings,
  API_POOL_SIZE: { type: 'integer', default: 10, min: 2, max: 200, about: 'database connections of this process' },
  ...connectionSettings,
  BODY_PERIOD_SECONDS: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 60,
    about: 'a body of which less than 16 KiB a second has arrived after a period of so long is given up',
  },
  TEXT_CONNECTIONS: {
    type: 'integer',
    default: 512,
    min: 1,
    max: 10_000,
    about:
      'connections of this process to one text vendor, half of them for one account; who gets none within 10 s is sent to another',
  },
  ...queueSettings,
  SPEECH_LISTEN: {
    type: 'string',
    default: '127.0.0.1:0',
    about: 'address and port at which workers bring speech, as 0.0.0.0:8090; port 0: any that is free',
  },
  SPEECH_ADVERTISE: {
    type: 'string',
    default: null,
    about: "host at which workers reach it; absent: SPEECH_LISTEN's, or the first address of the machine for 0.0.0.0",
  },
  ...windowSettings,
  ...vendorSecretSettings,
  ...channelOriginSettings,
  ...callbackOriginSettings,
  MEDIAGATE_CONFIG: { type: 'string', about: 'path of the configuration file: channels, prices, storage' },
  ...storageSettings,
  ...workFolderSettings,
  FFMPEG_PATH: {
    type: 'string',
    default: null,
    about:
      'absolute path of ffmpeg, which samples the videos and sounds whose origin is asked for; absent: these are compared by their bytes alone',
  },
  MEDIAGATE_KEY_PEPPER: { type: 'string', secret: true, about: 'key of the hash under which API keys are stored' },
  MEDIAGATE_PREVIOUS_KEY_PEPPER: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the MEDIAGATE_KEY_PEPPER before this one, under which keys still count and are hashed anew when used',
  },
  IMGTOOL_LEGACY_PREFIX: {
    type: 'string',
    default: 'mj',
    about: "first word of the paths of the image tool's older interface",
  },
  CREDITS_PER_UNIT: { type: 'integer', default: 10, min: 1, max: 1_000_000, about: 'credits of one currency unit' },
} as const;

export type ApiConfig = Config<typeof apiSettings>;
