const PARENT_CHECK_MS = 500;

export interface StopActions {
  /** Ends the process when all is stopped. */
  stop(reason: string): Promise<void>;
  stopAtOnce(): void;
}

/**
 * The first SIGINT, SIGTERM or SIGHUP stops in order, the second at once. npm runs a script through a shell, which a signal
 * to npm ends without handing it on, so to lose that parent counts as a signal.
 */
export function onStopRequest({ stop, stopAtOnce }: StopActions): void {
  let asked = false;
  const ask = (reason: string) => {
    if (asked) stopAtOnce();
    asked = true;
    void stop(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  // Whoever read the output is gone: what is still printed goes nowhere, and stopping goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (process.env['npm_lifecycle_event'] !== undefined) watchParent(() => ask('npm ended'));
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  timer.unref();
}
