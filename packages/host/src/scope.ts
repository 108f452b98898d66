import type { Registry } from 'prom-client';
import type { Logger } from './logger';

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
  /** Ends the process in good order, as SIGTERM would; a non-zero code says it was not by wish. */
  shutDown(reason: string, exitCode?: number): void;
}
