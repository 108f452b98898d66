import { OPERATOR_ROLES, type OperatorRole } from '@mediagate/contracts';
import { type Command, Option } from 'commander';
import { parseId, parseLine } from '../option-values';
import type { Session } from '../session';

const MAX_NAME_CHARACTERS = 200;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/operator') => require('../actions/operator');

export function addOperatorCommands(program: Command, session: Session): void {
  const operator = program.command('operator').description("tokens for the operators' API");
  operator
    .command('create')
    .description('issue a token; it is shown this once')
    .addOption(
      new Option('--role <role>', 'what it may do; each role also has the rights of those before it')
        .choices(OPERATOR_ROLES)
        .makeOptionMandatory(),
    )
    .option('--name <text>', 'whom or what it is for', parseLine(MAX_NAME_CHARACTERS), 'unnamed')
    .action(async (options: { role: OperatorRole; name: string }) =>
      session.print(await actions().create(session, options.name, options.role)),
    );
  operator
    .command('list')
    .description('list tokens, without their secrets')
    .action(async () => session.print(await actions().list(session)));
  operator
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'the 12 characters after mgo_', parseId)
    .action(async (id: string) => session.print(await actions().revoke(session, id)));
}
