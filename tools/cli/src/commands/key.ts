import { type JsonObject, KEY_SCOPES } from '@mediagate/contracts';
import type { Command } from 'commander';
import { parseFutureTime, parseKeyId } from '../option-values';
import { or, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { Columns, RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { OF_ACCOUNT, pageOptions, queryTime, REASON } from './taken';

const ID: Record<string, Taken> = {
  '<id>': { about: 'the 12 characters after mg_', field: 'key_id', read: parseKeyId },
};
const expiry = (text: string) => parseFutureTime(text).getTime() / 1000;
const scope = (absent: string): Taken => ({
  about: `what it sees: account, or own, what it made itself and what its own keys made; ${absent}`,
  choices: KEY_SCOPES,
});
const IS_TEST = { field: 'mode', means: 'test' };
const LIMITS: Record<string, string | Taken> = {
  '--name <text>': 'what to call it',
  '--quota <amount>': { about: 'the most it may spend, in currency units; none: unlimited', unset: 'none' },
  '--families <list>': { about: 'families it may use, by comma', isList: true },
  '--models <list>': { about: 'models it may use, by comma', isList: true },
  '--submit-per-minute <count>': 'submissions a minute',
  '--query-per-minute <count>': 'queries a minute',
  '--max-concurrent <count>': { about: 'tasks of a family at work at once; none: no limit', unset: 'none' },
  '--expires-at <time>': {
    about: 'when it ends, as 2027-01-31 or 2027-01-31T12:00:00Z; none: never',
    unset: 'none',
    read: expiry,
  },
};

const COLUMNS: Columns = {
  ID: 'id',
  'ENDS IN': 'last_four',
  ACCOUNT: 'account_id',
  NAME: 'name',
  MODE: 'mode',
  QUOTA: or('quota', 'unlimited'),
  USED: 'quota_used',
  LEFT: or('quota_left', 'unlimited'),
  FAMILIES: or('families', 'all'),
  MODELS: or('models', 'all'),
  'PER MINUTE': ({ submit_per_minute, query_per_minute }) => `${submit_per_minute} + ${query_per_minute}`,
  'AT ONCE': or('max_concurrent', 'unlimited'),
  MANAGES: 'manage',
  SEES: 'scope',
  CREATED: time('created'),
  EXPIRES: time('expires_at'),
  'LAST USED': time('last_used_at'),
  REVOKED: time('revoked_at'),
};

const onceShown = ({ key }: JsonObject) => `${key}\nThis is the only time that it is shown.`;

const COMMANDS: Record<string, RoutedCommand> = {
  create: {
    about: 'issue a key; it is shown this once',
    calls: 'adminCreateKey',
    takes: {
      '--account <id>': { about: 'whose money it spends', field: 'account_id', required: true },
      ...LIMITS,
      '--test': {
        about: 'of tests: its tasks are free, and made by the channels that the file marks test',
        ...IS_TEST,
      },
      '--manage': 'it may make and change other keys of the account over the API',
      '--scope <scope>': scope('absent: account'),
      ...REASON,
    },
    shows: onceShown,
  },
  update: {
    about: 'change what is named of a key, and leave the rest',
    calls: 'adminUpdateKey',
    takes: {
      ...ID,
      ...LIMITS,
      '--manage': 'give it the right to make and change other keys',
      '--no-manage': 'take that right from it',
      '--scope <scope>': scope('absent: as it is'),
      ...REASON,
    },
    shows: COLUMNS,
  },
  list: {
    about: 'list keys, the newest first, without their secrets',
    calls: 'adminListKeys',
    takes: {
      ...OF_ACCOUNT,
      '--id <id>': { about: 'this one alone', read: parseKeyId },
      '--revoked': 'those alone that were revoked',
      '--no-revoked': 'those alone that were not',
      '--unused-since <time>': { about: 'those alone that were neither made nor used since', read: queryTime },
      ...pageOptions(),
    },
    shows: COLUMNS,
  },
  revoke: {
    about: 'end a key; its tasks in flight go on and are settled',
    calls: 'adminRevokeKey',
    takes: { ...ID, ...REASON },
    shows: ({ id }) => `key ${id} is revoked; the API stops taking it, and the keys that it made, within 5 seconds`,
  },
  rotate: {
    about: 'give a key a new secret, shown this once; the old one ends within 5 seconds',
    calls: 'adminRotateKey',
    takes: { ...ID, ...REASON },
    shows: onceShown,
  },
};

export function addKeyCommands(program: Command, session: Session): void {
  addRouted(program.command('key').description('API keys'), session, COMMANDS);
}
