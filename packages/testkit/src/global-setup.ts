import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { TEST_ENVIRONMENT } from './environment';

/** The keeper's message: it is up, or why it is not. */
export type KeeperMessage = { keeperUrl: string; redisUrl: string } | { failure: string };

/**
 * Starts the keeper of this run's servers, a process of its own: when Jest is gone, however it went, the keeper loses its
 * channel to it, stops the servers and ends.
 */
export default async function globalSetup(): Promise<void> {
  // A proxy of the machine is for what tests install; what they start is on loopback.
  process.env['CONNECT_DIRECTLY'] ??= '1';
  const keeper = fork(join(__dirname, 'keeper.ts'), {
    execArgv: ['--require', join(__dirname, '../../../scripts/register-typescript.cjs')],
    // Ctrl-C is for Jest; the keeper follows it.
    detached: true,
  });
  const message = await firstMessage(keeper);
  if ('failure' in message) throw new Error(message.failure);
  process.env[TEST_ENVIRONMENT.keeperUrl] = message.keeperUrl;
  process.env[TEST_ENVIRONMENT.redisUrl] = message.redisUrl;
  globalThis.mediagateTestKeeper = keeper;
}

declare global {
  var mediagateTestKeeper: ChildProcess | undefined;
}

function firstMessage(keeper: ChildProcess): Promise<KeeperMessage> {
  return new Promise((resolve) => {
    keeper.once('message', (message) => resolve(message as KeeperMessage));
    keeper.once('exit', (code) => resolve({ failure: `The keeper of the test servers ended with code ${code}.` }));
  });
}
