import { parseTime } from '../option-values';
import type { Taken } from '../routes/routed-command';

/** An option of every command that changes something. */
export const REASON = { '--reason <text>': 'for the audit log; callers do not see it' };

/** Options of lists. @param fallback as many rows as are listed where nothing is said; undefined: all. */
export function pageOptions(fallback?: string): Record<string, Taken> {
  return {
    '--before <cursor>': { about: 'go on behind the page that named this cursor', field: 'cursor' },
    '--limit <count>': { about: 'how many at most', ...(fallback === undefined ? {} : { fallback }) },
  };
}

export const OF_ACCOUNT: Record<string, Taken> = {
  '--account <id>': { about: 'of this account alone', field: 'account_id' },
};

/** The time in which something was made or done. */
export const TIMES: Record<string, Taken> = {
  '--after <time>': { about: 'created then or later', field: 'created_after', read: queryTime },
  '--created-before <time>': { about: 'created before then, or by the end of that day', read: queryTime },
};

/** Routes read days and Unix seconds; a moment in ISO 8601 is sent as these. */
export function queryTime(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : String(Math.floor(parseTime(text).getTime() / 1000));
}

/** The moment from which a change counts. */
export const EFFECTIVE: Record<string, Taken> = {
  '--from <time>': {
    about: 'when it counts; default: as soon as every process knows it',
    field: 'effective_at',
    read: (text) => Math.ceil(parseTime(text).getTime() / 1000),
  },
};

/** Loaded by the command that runs, so that none waits for what another needs. */
const settings = (): typeof import('../actions/settings-argument') => require('../actions/settings-argument');

/** Fields in the words of the configuration file. */
export function settingsTaken(about: string): Taken {
  return { about, field: 'settings', find: (text, { session }) => settings().readSettingsArgument(session, text) };
}
