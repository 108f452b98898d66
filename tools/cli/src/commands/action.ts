import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { Command } from 'commander';
import { time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';
import { pageOptions, TIMES } from './taken';

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'list what was changed, the newest first',
    calls: 'adminListActions',
    takes: {
      '--subject <id>': 'of this account, key, task, channel, billing key … alone',
      '--actor <id>': 'by whom: cli:<user>, operator:<id of the token> or key:<id>',
      '--action <name>': 'of this kind alone, as account.suspend',
      ...TIMES,
      ...pageOptions('20'),
    },
    shows: {
      ENTRY: 'id',
      TIME: time('created'),
      BY: ({ actor, actor_name }) =>
        actor_name === null || actor === `cli:${actor_name}` ? actor : `${actor_name} (${actor})`,
      ACTION: 'action',
      OF: 'subject',
      CHANGED: changesText,
      REASON: 'reason',
    },
  },
};

export function addActionCommands(program: Command, session: Session): void {
  addRouted(program.command('action').description('the audit log: what was changed, and by whom'), session, COMMANDS);
}

/** The fields that differ; of what is new, none: its own command shows it. */
function changesText({ before = null, after = null }: JsonObject): string {
  if (!isJsonObject(before) || !isJsonObject(after)) return '';
  return Object.entries(after)
    .filter(([name, value]) => !isJsonObject(value) && JSON.stringify(value) !== JSON.stringify(before[name] ?? null))
    .map(([name, value = null]) => `${name} ${wordOf(before[name] ?? null)} → ${wordOf(value)}`)
    .join(', ');
}

function wordOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
