import { databaseSettings } from '@mediagate/database';
import type { Config } from '@mediagate/host';
import { storageSettings, workFolderSettings } from '@mediagate/media';
import { signingSettings } from '@mediagate/worker-runtime';

const { DATABASE_CONNECTIONS, DATABASE_MAX_CONNECTIONS } = databaseSettings;
const secret = { type: 'string', default: null, secret: true, about: 'as the services have it' } as const;

/** The services are given these beside the command line's own variables. Each may be missing: then its check says that it did not look. */
export const doctorSettings = {
  DATABASE_CONNECTIONS,
  DATABASE_MAX_CONNECTIONS,
  STORAGE_MIN_FREE_MB: storageSettings.STORAGE_MIN_FREE_MB,
  ...workFolderSettings,
  ...signingSettings,
  MEDIAGATE_LINK_SECRET: secret,
  MEDIAGATE_PREVIOUS_LINK_SECRET: secret,
  MEDIAGATE_KEY_PEPPER: secret,
  MEDIAGATE_PREVIOUS_KEY_PEPPER: secret,
  CONSOLE_SECRET: secret,
  CONSOLE_PREVIOUS_SECRET: secret,
} as const;

export type DoctorConfig = Config<typeof doctorSettings>;
