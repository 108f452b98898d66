import type { JsonObject } from '@mediagate/contracts';
import type { Command } from 'commander';
import { parseLine } from '../option-values';
import { settings } from '../packages';
import { Refusal } from '../refusal';
import { or, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { Given, RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';
import { addConfigOption } from './config-option';
import { REASON } from './taken';

const MAX_REASON_CHARACTERS = 500;
const LIST: Record<string, RoutedCommand> = {
  list: {
    about: 'show their names, who set them, and which channels use them',
    calls: 'adminListSecrets',
    shows: {
      SECRET: 'name',
      CHANNELS: or('channels', 'none'),
      'SET BY': 'set_by',
      SET: time('set_at'),
      'OPENS HERE': ({ can_be_opened: opens }) => (opens === true ? 'yes' : 'no'),
    },
  },
};
/** A file with faults must not keep a key from being set. */
const CHANGES: Record<string, RoutedCommand> = {
  set: {
    about: 'set one, in place of the one of that name before, from the standard input',
    calls: 'adminSetSecret',
    takes: { '<name>': 'as the api_key of channels names it behind `secret:`', ...REASON },
    says: readValue,
    shows: ({ name }) => `the secret ${name} is set; ${whenItCounts(String(name))}`,
  },
  remove: {
    about: 'remove one: channels that use it take no tasks any more',
    calls: 'adminRemoveSecret',
    takes: { '<name>': 'the secret', ...REASON },
    shows: ({ name }) => `the secret ${name} is gone`,
  },
};

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/secret') => require('../actions/secret');

export function addSecretCommands(program: Command, session: Session): void {
  const secret = program.command('secret').description("the vendors' keys that the database keeps, sealed");
  addConfigOption(secret, session);
  addRouted(secret, session, LIST, { readsFile: true });
  addRouted(secret, session, CHANGES);
  secret
    .command('reseal')
    .description('seal all under MEDIAGATE_SEALING_SECRET, so that the one before may go')
    .option('--reason <text>', REASON['--reason <text>'], parseLine(MAX_REASON_CHARACTERS))
    .action(async (options: { reason?: string }) => session.print(await actions().reseal(session, options)));
}

async function readValue({ name }: Given, session: Session): Promise<JsonObject> {
  const value = (await session.readInput()).trim();
  if (value === '') throw new Refusal(`nothing on the standard input: npx mediagate secret set ${name} < file`);
  return { value };
}

/** The key of a channel counts in every process within two seconds. */
function whenItCounts(name: string): string {
  return settings().isOfSigning(name) ? 'workers take it up within 30 seconds' : 'it counts within 2 seconds';
}
