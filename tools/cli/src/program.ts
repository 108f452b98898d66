import { Command } from 'commander';
import { version } from '../package.json';
import { addAccountCommands } from './commands/account';
import { addActionCommands } from './commands/action';
import { addAttemptCommands } from './commands/attempt';
import { addAuditCommand } from './commands/audit';
import { addBackupCommands } from './commands/backup';
import { addBooksCommands } from './commands/books';
import { addChannelCommands } from './commands/channel';
import { addConfigCommands } from './commands/config';
import { addDeliveryCommands } from './commands/delivery';
import { addDoctorCommand } from './commands/doctor';
import { addKeyCommands } from './commands/key';
import { addListenCommand } from './commands/listen';
import { addMigrateCommand } from './commands/migrate';
import { addNoticeCommands } from './commands/notice';
import { addOperatorCommands } from './commands/operator';
import { addPriceCommands } from './commands/price';
import { addProtocolCommands } from './commands/protocol';
import { addQueueCommands } from './commands/queue';
import { addRaiseFencesCommand } from './commands/raise-fences';
import { addReportCommands } from './commands/report';
import { addSecretCommands } from './commands/secret';
import { addSettingsCommands } from './commands/settings';
import { addStorageCommands } from './commands/storage';
import { addTaskCommands } from './commands/task';
import { addTroubleCommands } from './commands/trouble';
import { addUserCommands } from './commands/user';
import { addVendorCommands } from './commands/vendor';
import type { Session, Surroundings } from './session';

/** The whole command line. It throws CommanderError instead of ending the process. */
export function createProgram(session: Session, { stdout, stderr }: Surroundings): Command {
  const program = new Command('mediagate')
    .description("The operator's command line of mediagate.")
    .version(version, '--version', 'print the version')
    .option('--json', 'print JSON instead of a table')
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: stderr })
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', (all) => session.useJson(all.opts<{ json?: true }>().json ?? false))
    .showHelpAfterError('Add --help for what it takes.')
    .addHelpText('after', AFTER);
  addAccountCommands(program, session);
  addKeyCommands(program, session);
  addTaskCommands(program, session);
  addAttemptCommands(program, session);
  addDeliveryCommands(program, session);
  addDoctorCommand(program, session);
  addTroubleCommands(program, session);
  addQueueCommands(program, session);
  addChannelCommands(program, session);
  addConfigCommands(program, session);
  addVendorCommands(program, session);
  addProtocolCommands(program, session);
  addSecretCommands(program, session);
  addPriceCommands(program, session);
  addSettingsCommands(program, session);
  addStorageCommands(program, session);
  addReportCommands(program, session);
  addListenCommand(program, session);
  addNoticeCommands(program, session);
  addOperatorCommands(program, session);
  addUserCommands(program, session);
  addAuditCommand(program, session);
  addBooksCommands(program, session);
  addActionCommands(program, session);
  addMigrateCommand(program, session);
  addBackupCommands(program, session);
  addRaiseFencesCommand(program, session);
  return program;
}

const AFTER = `
The database is that of DATABASE_URL, or else of the running \`npm start\` ($MEDIAGATE_HOME/run.json).
The configuration file is that of --config, of MEDIAGATE_CONFIG, or of that \`npm start\`, in this order.
Every command takes --json. Exit codes: 0 done, 1 refused or faults found, 2 not understood.

Examples:
  npx mediagate account create --name Studio --balance 25
  npx mediagate key create --account <id> --quota 10 --families image --json
  npx mediagate task show <id>
  npx mediagate audit

Completion, with node_modules/.bin on PATH: eval "$(mediagate completion bash)"`;
