import { once } from 'node:events';

/** Lets the keeper go and waits until it has stopped the servers, so that nothing outlives the run. */
export default async function globalTeardown(): Promise<void> {
  const keeper = globalThis.mediagateTestKeeper;
  if (keeper === undefined || keeper.exitCode !== null) return;
  const exited = once(keeper, 'exit');
  keeper.disconnect();
  await exited;
}
