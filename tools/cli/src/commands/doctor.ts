import type { Command } from 'commander';
import type { DoctorFlags } from '../actions/doctor';
import { parseCount } from '../option-values';
import type { Session } from '../session';
import { addConfigOption } from './config-option';

/** Loaded by the command when it runs, so that no other waits for it. */
const actions = (): typeof import('../actions/doctor') => require('../actions/doctor');

export function addDoctorCommand(program: Command, session: Session): void {
  const doctor = program
    .command('doctor')
    .description('look at the whole deployment, and say what to do; ends with 1 where something is broken')
    .option('--probe', 'also ask each vendor what costs nothing: whether it takes the key, knows the models')
    .option('--timeout <seconds>', 'what each check may take', parseCount(600), 5)
    .action(async (flags: DoctorFlags) => session.print(await actions().examineAll(session, flags)));
  addConfigOption(doctor, session);
}
