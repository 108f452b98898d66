import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Logger, RequestSpan } from '@mediagate/host';
import { Counter, type Registry } from 'prom-client';

// biome-ignore lint/suspicious/noExplicitAny: an event's arguments are whatever its emitter says
type Listener = (...args: any[]) => void;

/**
 * Owner of what one request leaves behind: its timers and its listeners. Closing it clears and removes all of them, once.
 * What is added to a closed scope is never run.
 */
export class RequestScope {
  readonly requestId: string;
  readonly #releases = new Set<() => void>();
  #closed = false;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** A scope of a shorter life, closed with this one at the latest. */
  open(): RequestScope {
    const inner = new RequestScope(this.requestId);
    if (this.#closed) inner.close();
    const release = () => inner.close();
    this.#releases.add(release);
    inner.#releases.add(() => this.#releases.delete(release));
    return inner;
  }

  /** Runs it once, so many milliseconds from now. */
  after(ms: number, run: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#releases.delete(release);
      run();
    }, ms);
    const release = () => clearTimeout(timer);
    this.#releases.add(release);
  }

  on(emitter: EventEmitter, event: string, listener: Listener): this {
    if (this.#closed) return this;
    emitter.on(event, listener);
    this.#releases.add(() => emitter.off(event, listener));
    return this;
  }

  /** Runs it when the scope is closed; at once where it is closed already. */
  onClose(release: () => void): void {
    if (this.#closed) release();
    else this.#releases.add(release);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const release of this.#releases) release();
    this.#releases.clear();
  }
}

/** Knows which request an error belongs to that nothing caught. */
export interface RequestScopes {
  /** Runs work of a request: whatever it starts belongs to the request from then on, timers and promises included. */
  run<T>(request: OpenRequest, work: () => T): T;
  /**
   * For what the process would end of. True when a request's own work threw it: it was logged with the id of the request, its
   * connection was destroyed, and nobody else is harmed.
   */
  claim(error: unknown): boolean;
  /** The same where the request is known: an error in its aftermath that was caught on its way. */
  report(request: OpenRequest, error: unknown): void;
}

export interface OpenRequest {
  scope: RequestScope;
  response: ServerResponse;
  /** Whatever it starts is part of this span, too. */
  trace?: Pick<RequestSpan, 'run'> | undefined;
}

/**
 * The two nets under a request, below what its handler awaits. Errors of timers, promises and streams of its own are found by
 * the asynchronous context they run in; errors of listeners on requests and responses, which Node calls in the connection's
 * context, are caught where those emit (`guardMessages`).
 */
export function createRequestScopes({ logger, metrics }: { logger: Logger; metrics: Registry }): RequestScopes {
  const current = new AsyncLocalStorage<OpenRequest>();
  const strays = new Counter({
    name: 'mediagate_http_stray_errors_total',
    help: "Errors that no code of a request caught: each is a bug. The request's connection is destroyed; the process goes on.",
    registers: [metrics],
  });

  function report({ scope, response }: OpenRequest, error: unknown): void {
    strays.inc();
    logger.error('http.stray_error', { requestId: scope.requestId, error });
    if (response.destroyed) {
      scope.close();
      return;
    }
    // Work that waits for the connection sees its end first; closing the scope ends all other work, which would wait for ever.
    response.once('close', () => setImmediate(() => scope.close()));
    response.destroy();
  }

  return {
    run(request, work) {
      // Most events of a message come while its request is at work.
      if (current.getStore() === request) return work();
      const { trace } = request;
      return trace === undefined ? current.run(request, work) : trace.run(() => current.run(request, work));
    },
    claim(error) {
      const request = current.getStore();
      if (request === undefined) return false;
      report(request, error);
      return true;
    },
    report,
  };
}

const OWNER = Symbol('request');
type Owned = EventEmitter & { [OWNER]?: OpenRequest };

/** Makes listeners on the message run as work of the request from here on, if its prototype is a guarded one. */
export function ownMessage(message: EventEmitter, request: OpenRequest): void {
  (message as Owned)[OWNER] = request;
}

/**
 * Makes listeners on all messages of the prototype run as work of the request that owns the message, and their errors the
 * request's own. Node calls them from the connection, where an error would end the process.
 */
export function guardMessages(prototype: EventEmitter, scopes: RequestScopes): void {
  const { emit } = prototype;
  prototype.emit = function guarded(this: Owned, ...event: Parameters<EventEmitter['emit']>): boolean {
    const request = this[OWNER];
    // Most events have no listener; an error without one is thrown.
    if (request === undefined || (event[0] !== 'error' && this.listenerCount(event[0]) === 0)) {
      return Reflect.apply(emit, this, event);
    }
    try {
      return scopes.run(request, () => Reflect.apply(emit, this, event));
    } catch (error) {
      scopes.report(request, error);
      return true;
    }
  };
}
