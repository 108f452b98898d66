import { ownHostSettings } from '@mediagate/callbacks';
import { channelOriginSettings } from '@mediagate/channels';
import { databaseSettings } from '@mediagate/database';
import { ConfigError } from '@mediagate/host';
import { storageSettings } from '@mediagate/media';
import { queueSettings, windowSettings } from '@mediagate/queue';
import { RETENTION_MIN_DAYS } from '@mediagate/tasks';

/** Settings of the reconciler. */
export const reconcilerSettings = {
  ...databaseSettings,
  DATABASE_POOL_SIZE: { type: 'integer', default: 4, min: 2, max: 200, about: 'connections to PostgreSQL at most' },
  ...queueSettings,
  MEDIAGATE_CONFIG: { type: 'string', about: 'path of the channels file' },
  ...storageSettings,
  PUBLIC_BASE_URL: {
    type: 'http',
    default: 'http://127.0.0.1:8080',
    about: 'address under which callers reach the API',
  },
  TASK_RETENTION_DAYS: {
    type: 'integer',
    default: 30,
    min: RETENTION_MIN_DAYS,
    max: 3650,
    about: 'how long records of ended tasks are kept',
  },
  BOOKS_RETENTION_MONTHS: {
    type: 'integer',
    default: null,
    min: 3,
    max: 1200,
    about:
      'months after which the single bookings of a closed month are removed, its sums kept; TASK_RETENTION_DAYS may not be longer; absent: books are kept whole, and closed by command',
  },
  ...windowSettings,
  AUDIT_SECONDS: { type: 'integer', default: 300, min: 1, max: 86_400, about: 'pause between audits of the books' },
  ...channelOriginSettings,
  ...ownHostSettings,
  SMTP_URL: {
    type: 'url',
    default: null,
    secret: true,
    about: 'mail server of notices, as smtps://user:password@host:465; absent: none are mailed',
  },
  NOTICE_FROM: {
    type: 'string',
    default: 'mediagate@localhost',
    about: 'address that notices by mail come from',
  },
  NOTICE_ALLOW_ORIGINS: {
    type: 'origins',
    default: [],
    about: 'origins beside public ones that notices to operators may be posted to, as http://chat.internal:8065',
  },
  LOW_BALANCE_UNITS: {
    type: 'integer',
    default: 1,
    min: 0,
    max: 1_000_000_000,
    about: 'accounts with less than that, in currency units, count in mediagate_low_balance_accounts',
  },
} as const;

const MONTH_MAX_DAYS = 31;

/** @throws ConfigError where records of tasks would keep bookings for longer than these are to be kept. */
export function checkSettings(config: {
  TASK_RETENTION_DAYS: number;
  BOOKS_RETENTION_MONTHS: number | undefined;
}): void {
  const { TASK_RETENTION_DAYS: days, BOOKS_RETENTION_MONTHS: months } = config;
  if (months === undefined || days <= MONTH_MAX_DAYS * months) return;
  throw new ConfigError([
    `TASK_RETENTION_DAYS is ${days}, longer than the ${months} months of BOOKS_RETENTION_MONTHS: no bookings would be removed while records of their tasks are kept`,
  ]);
}
