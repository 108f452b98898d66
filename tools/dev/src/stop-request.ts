const PARENT_CHECK_MS = 500;
/** npm hands on what a terminal, or a signal to the group, has sent to both already. */
const SAME_REQUEST_MS = 1_000;

export interface StopActions {
  /** Ends the process when all is stopped. */
  stop(reason: string): Promise<void>;
  stopAtOnce(): void;
}

/**
 * The first SIGINT, SIGTERM or SIGHUP stops in order, a further one at once. Where npm is killed it hands nothing on, so to
 * lose that parent counts as a signal, too.
 */
export function onStopRequest(actions: StopActions): void {
  const requests = stopRequests(actions);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => requests.ask(signal));
  // Whoever read the output is gone: what is still printed goes nowhere, and stopping goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (process.env['npm_lifecycle_event'] !== undefined) watchParent(() => requests.askOnce('npm ended'));
}

/** Requests to stop that may come over several ways, each of which is one. */
export function stopRequests({ stop, stopAtOnce }: StopActions, nowMs = () => performance.now()) {
  let askedMs: number | undefined;
  const askOnce = (reason: string): void => {
    if (askedMs !== undefined) return;
    askedMs = nowMs();
    void stop(reason);
  };
  return {
    askOnce,
    ask(reason: string): void {
      if (askedMs !== undefined && nowMs() - askedMs > SAME_REQUEST_MS) stopAtOnce();
      else askOnce(reason);
    },
  };
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
