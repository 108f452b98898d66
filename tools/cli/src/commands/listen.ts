import type { Command } from 'commander';
import type { ListenOptions } from '../actions/listen';
import { parseCount, parseStatus } from '../option-values';
import type { Session } from '../session';

const MAX_PORT = 65_535;
const DEFAULT_PORT = 9000;
const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/listen') => require('../actions/listen');

export function addListenCommand(program: Command, session: Session): void {
  program
    .command('listen')
    .description('receive callbacks on this machine, verify them and print them, until interrupted')
    .option('--port <port>', 'on 127.0.0.1', parseCount(MAX_PORT), DEFAULT_PORT)
    .option('--status <status>', 'what to answer', parseStatus, 200)
    .option('--secret <secret>', 'what callbacks are signed with; or MEDIAGATE_WEBHOOK_SECRET')
    .option('--url <url>', 'where the API is, to fetch the secret from', DEFAULT_URL)
    .option('--key <key>', 'an API key, to fetch the secret with; or MEDIAGATE_API_KEY')
    .action(async (options: ListenOptions) => {
      const listener = await actions().listen(session, options, (answer) => session.print(answer));
      session.warn(`receives callbacks for the webhook http://127.0.0.1:${listener.port}; end it with Ctrl+C`);
      await untilInterrupted();
      await listener.close();
    });
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
