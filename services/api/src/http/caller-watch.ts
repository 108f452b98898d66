import type { Held } from '@mediagate/concurrency';
import type { CallerWatch, Gone } from '../use-cases/caller-connection';
import type { Exchange } from './exchange';
import type { Shutdown } from './shutdown';

type Slot = Pick<Held, 'release'>;

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where its head has gone out the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(
  { response, scope: whole }: Pick<Exchange, 'response' | 'scope'>,
  totalMs: number,
  { shutdown, takeSlot }: { shutdown: Readonly<Shutdown>; takeSlot(): Slot | undefined },
): CallerWatch {
  const scope = whole.open();
  const controller = new AbortController();
  let gone: Gone | undefined;
  let isStopped = false;
  const linger = new Linger(takeSlot, scope, controller);
  const onClose = () => {
    if (!response.writableFinished) gone ??= shutdown.cutsConnections ? 'internal_error' : 'caller_left';
    linger.leave(gone);
  };
  scope.after(totalMs, () => {
    if (response.headersSent) {
      gone = 'caller_left';
      response.destroy();
    }
    controller.abort();
  });
  // A request that ends before its work takes the timers along that would have ended the work.
  scope.onClose(() => {
    if (!isStopped) controller.abort();
  });
  if (response.destroyed) onClose();
  else scope.on(response, 'close', onClose);
  return {
    signal: controller.signal,
    gone: () => gone,
    linger: (ms) => linger.set(ms, gone),
    cancel() {
      gone ??= 'cancelled';
      linger.leave(gone);
    },
    stop() {
      isStopped = true;
      linger.end();
      scope.close();
    },
  };
}

/** How the work of one who has left goes on for a while. */
class Linger {
  readonly #takeSlot: () => Slot | undefined;
  readonly #scope: Pick<Exchange['scope'], 'after'>;
  readonly #controller: AbortController;
  #ms = 0;
  #slot: Slot | undefined;

  constructor(takeSlot: () => Slot | undefined, scope: Pick<Exchange['scope'], 'after'>, controller: AbortController) {
    this.#takeSlot = takeSlot;
    this.#scope = scope;
    this.#controller = controller;
  }

  set(ms: number, gone: Gone | undefined): void {
    this.#ms = ms;
    if (ms === 0 && gone !== undefined) this.#controller.abort();
  }

  leave(gone: Gone | undefined): void {
    const mayStay = this.#ms > 0 && gone !== 'internal_error';
    if (mayStay) this.#slot ??= this.#takeSlot();
    if (mayStay && this.#slot) this.#scope.after(this.#ms, () => this.#controller.abort());
    else this.#controller.abort();
  }

  end(): void {
    this.#slot?.release();
  }
}
