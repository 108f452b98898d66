import type { Registry } from 'prom-client';
import type { LogFields, Logger } from './logger';

type ReloadFields = Pick<LogFields, 'digest'>;

/** What a process has while it lives. Everything opened in `main` is deferred here and closed in reverse order. */
export interface Scope {
  logger: Logger;
  metrics: Registry;
  /** Named checks; `/readyz` is 200 while all of them pass and the process is not draining. */
  addReadinessCheck(name: string, check: () => Promise<void>): void;
  /** Runs first on shutdown, all together: stop taking work, finish what is in hand. */
  onDrain(name: string, drain: () => Promise<void> | void): void;
  /** Runs after the drain, in reverse order of registration. */
  defer(name: string, close: () => Promise<void> | void): void;
  /**
   * Asked of every error that nothing caught. True: it belongs to one piece of work, which has been given up, and the process
   * goes on. An error that nobody claims is a bug of the process itself, and ends it.
   */
  onStrayError(claim: (error: unknown) => boolean): void;
  /**
   * Runs on SIGHUP: read the settings again, replace what they make. It throws where they do not fit; then it must have
   * changed nothing, and the process goes on as it was. What it gives back is logged beside its name.
   */
  onReload(name: string, reload: () => ReloadFields | undefined): void;
}
