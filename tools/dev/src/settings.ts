import { callbackOriginSettings } from '@mediagate/callbacks';

/** Settings of `npm start`. What is not here goes on to the services as it stands in the environment. */
export const devSettings = {
  PORT: { type: 'port', default: 8080, about: 'port of the API' },
  CONSOLE_PORT: { type: 'port', default: 8081, about: 'port of the console' },
  ADMIN_PORT: { type: 'port', default: null, about: 'port of the operators’ API; absent: that of the API' },
  CONSOLE_USER: {
    type: 'string',
    default: 'operator@demo.localhost',
    about: 'e-mail address of the demo’s operator in the console',
  },
  CONSOLE_PASSWORD: {
    type: 'string',
    default: null,
    secret: true,
    about: 'password of the demo’s users; absent: made once and kept',
  },
  CONSOLE_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'seals what stands for users of the console; absent: made once and kept',
  },
  MEDIAGATE_HOME: {
    type: 'string',
    default: '.mediagate',
    about: 'folder of everything that is kept: databases, media, secrets',
  },
  MEDIAGATE_CONFIG: {
    type: 'string',
    default: 'deploy/config/simulator.yaml',
    about: 'path of the configuration file: channels, prices, storage',
  },
  MEDIAGATE_PROCESSES: {
    type: 'string',
    default: 'many',
    oneOf: ['many', 'few'],
    about: 'many: one for each service; few: the API and one for all others, for hosts with little memory',
  },
  MEDIAGATE_DEMO: { type: 'boolean', default: true, about: '0 runs no demo jobs' },
  ...callbackOriginSettings,
  DATABASE_URL: {
    type: 'url',
    default: null,
    secret: true,
    about: 'PostgreSQL; absent: one of its own in MEDIAGATE_HOME',
  },
  REDIS_URL: { type: 'url', default: null, secret: true, about: 'Redis; absent: one of its own in MEDIAGATE_HOME' },
  PUBLIC_BASE_URL: {
    type: 'http',
    default: null,
    about: 'where callers reach the API; absent: http://127.0.0.1:$PORT',
  },
  MEDIAGATE_LINK_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'signs links; absent: made once and kept',
  },
  MEDIAGATE_PREVIOUS_LINK_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the MEDIAGATE_LINK_SECRET before this one; absent: what the folder has',
  },
  MEDIAGATE_SEALING_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: "seals the vendors' keys that the database keeps; absent: made once and kept",
  },
  MEDIAGATE_PREVIOUS_SEALING_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the MEDIAGATE_SEALING_SECRET before this one; absent: what the folder has',
  },
  MEDIAGATE_KEY_PEPPER: {
    type: 'string',
    default: null,
    secret: true,
    about: 'key of the hash of API keys; absent: made once and kept',
  },
  MEDIAGATE_PREVIOUS_KEY_PEPPER: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the MEDIAGATE_KEY_PEPPER before this one; absent: what the folder has',
  },
} as const;
