import type { Registry } from 'prom-client';
import type { LogFields, Logger } from './log/logger';

type ReloadFields = Pick<LogFields, 'digest'>;

/** Holds everything that a service owns while it runs. Whatever `main` opens is deferred here and closed in reverse order. */
export interface Scope {
  logger: Logger;
  metrics: Registry;
  /** Named checks; `/readyz` is 200 while all of them pass and the process is not draining. */
  addReadinessCheck(name: string, check: () => Promise<void>): void;
  /**
   * `/healthz` is 200 while all of these are true, so that whoever supervises the process ends it and starts another. False: its
   * own work has stopped, and only a new process would go on. What it depends on is for readiness, which fails beside it.
   */
  addLivenessCheck(name: string, isAlive: () => boolean): void;
  /** Runs first on shutdown, all drains together: take no more work, finish what is in flight. */
  onDrain(name: string, drain: () => Promise<void> | void): void;
  /** Runs after the drain, in reverse order of registration. */
  defer(name: string, close: () => Promise<void> | void): void;
  /**
   * Asked of every error that nothing caught. True: it belongs to one piece of work, which has been given up, and the process
   * goes on. An error that nobody claims is a bug of the process itself, and ends it.
   */
  onStrayError(claim: (error: unknown) => boolean): void;
  /**
   * Runs on SIGHUP: reads the settings again and replaces what was made from them. If they do not fit it throws, having
   * changed nothing, and the process continues as before. The fields it returns are logged beside its name.
   */
  onReload(name: string, reload: () => ReloadFields | undefined): void;
  /** A scope of its own for one service of several in the process, which begins and ends with this one. */
  part(service: string): Scope;
  /** The one of its kind that all services of the process share; made when it is first asked for. */
  one<T extends object>(Kind: new () => T): T;
}
