import type { Command } from 'commander';
import { parseId } from '../option-values';
import type { Session } from '../session';
import { addConfigOption } from './config-option';
import { reasonOption } from './reason-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/secret') => require('../actions/secret');

type Reason = { reason?: string };

export function addSecretCommands(program: Command, session: Session): void {
  const secret = program.command('secret').description("the vendors' keys that the database keeps, sealed");
  addConfigOption(secret, session);
  secret
    .command('list')
    .description('show their names, who set them, and which channels use them')
    .action(async () => session.print(await actions().list(session)));
  secret
    .command('set')
    .description('set one, in place of the one of that name before, from the standard input')
    .argument('<name>', 'as the api_key of channels names it behind `secret:`', parseId)
    .addOption(reasonOption())
    .action(async (name: string, options: Reason) => session.print(await actions().set(session, name, options)));
  secret
    .command('remove')
    .description('remove one: channels that use it take no tasks any more')
    .argument('<name>', 'the secret', parseId)
    .addOption(reasonOption())
    .action(async (name: string, options: Reason) => session.print(await actions().remove(session, name, options)));
  secret
    .command('reseal')
    .description('seal all under MEDIAGATE_SEALING_SECRET, so that the one before may go')
    .addOption(reasonOption())
    .action(async (options: Reason) => session.print(await actions().reseal(session, options)));
}
