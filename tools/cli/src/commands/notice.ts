import { type JsonObject, NOTICE_KINDS, NOTICE_MEDIA } from '@mediagate/contracts';
import type { Command } from 'commander';
import { or, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { textTable } from '../text-table';
import { OF_ACCOUNT, pageOptions, REASON } from './taken';

const TARGET: Record<string, Taken> = { '<id>': { about: 'the target', field: 'target_id' } };
const LANGUAGE = { '--language <code>': 'of the texts, as `de`; default: English' };
const orDefault = (about: string): Taken => ({ about, unset: 'default' });

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'list what is told to operators, the newest first',
    calls: 'adminListNotices',
    takes: {
      '--state <state>': { about: 'what stands alone, or what is over', choices: ['standing', 'resolved'] },
      '--kind <kind>': { about: 'of this kind alone', choices: NOTICE_KINDS },
      ...OF_ACCOUNT,
      ...pageOptions('20'),
    },
    shows: { ID: 'id', STATE: 'state', SINCE: time('since'), NOTICE: 'text' },
  },
  targets: {
    about: 'list where operators are told, and what became of the last message',
    calls: 'adminListNoticeTargets',
    shows: {
      ID: 'id',
      MEDIUM: 'medium',
      ADDRESS: 'address',
      KINDS: or('kinds', 'all'),
      LANGUAGE: 'language',
      'LAST MESSAGE': ({ last_message }) => {
        const { state = '', reason } = (last_message ?? {}) as JsonObject;
        return `${state} ${reason ?? ''}`.trim();
      },
    },
  },
  add: {
    about: 'have operators told somewhere',
    calls: 'adminCreateNoticeTarget',
    takes: {
      '<medium>': { about: 'how', choices: NOTICE_MEDIA },
      '<address>': 'a URL, or the address of a mailbox',
      '--kinds <kinds>': { about: 'those alone, separated by commas; default: all', isList: true },
      ...LANGUAGE,
      ...REASON,
    },
    shows: ({ id, medium, secret }) =>
      `operators are told by ${medium}: ${id}${secret === undefined ? '' : `\nsigned by ${secret}, which is not shown again`}`,
  },
  change: {
    about: 'change what a target is told of, or in which language',
    calls: 'adminUpdateNoticeTarget',
    takes: {
      ...TARGET,
      '--kinds <kinds>': { about: 'those alone, separated by commas; `all`: all', isList: true, unset: 'all' },
      ...LANGUAGE,
      ...REASON,
    },
    shows: (target) => `${target['id']} is told of ${or('kinds', 'everything')(target)}, in ${target['language']}`,
  },
  remove: {
    about: 'have nothing more sent to a target',
    calls: 'adminRemoveNoticeTarget',
    takes: { ...TARGET, ...REASON },
    shows: ({ id }) => `nothing more is sent to ${id}`,
  },
  test: {
    about: 'send a test to a target; `notice targets` shows what comes of it',
    calls: 'adminTestNoticeTarget',
    takes: { ...TARGET, ...REASON },
    shows: (_answer, { id }) => `a test is on its way to ${id}`,
  },
  settings: {
    about: 'show when operators are told, and accounts that have set nothing themselves',
    calls: 'adminGetNoticeSettings',
    shows: settingsText,
  },
  set: {
    about: 'set when operators are told; `default` takes a value back',
    calls: 'adminUpdateNoticeSettings',
    takes: {
      '--low-balance <amount>': orDefault('less than so many currency units is low; 0: never'),
      '--key-quota-percents <list>': { ...orDefault('told at each of them, as 80,95'), isList: true },
      '--callbacks-failed <count>': orDefault('that were not delivered within an hour'),
      '--channel-minutes <count>': orDefault('for which a channel has kept failing'),
      '--repeat-minutes <count>': orDefault('after which it is told again; 0: never'),
      '--quiet-minutes <count>': orDefault('within which it is not told anew'),
      ...REASON,
    },
    shows: settingsText,
  },
};

export function addNoticeCommands(program: Command, session: Session): void {
  addRouted(program.command('notice').description('what operators are told, where, and when'), session, COMMANDS);
}

function settingsText({ set = [], ...inForce }: JsonObject): string {
  const isSet = new Set(Array.isArray(set) ? set : []);
  const rows = Object.entries(inForce).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : String(value),
    isSet.has(name) ? 'set' : 'default',
  ]);
  return textTable(['SETTING', 'VALUE', ''], rows);
}
