import { type Held, Linger } from '@mediagate/concurrency';
import type { StopReason } from '@mediagate/database';
import type { CallerWatch, Gone } from '../use-cases/caller-connection';
import { hasBegun } from './answers/event-comments';
import type { Call, Exchange } from './exchange';

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where it has begun the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(
  { response, scope: whole, wording }: Pick<Exchange, 'response' | 'scope' | 'wording'>,
  totalMs: number,
  { shutdown, takeSlot }: { shutdown: Readonly<Shutdown>; takeSlot(): Pick<Held, 'release'> | undefined },
): CallerWatch {
  const scope = whole.open();
  let gone: Gone | undefined;
  let isOver = false;
  const linger = new Linger(takeSlot);
  const onClose = () => {
    if (!response.writableFinished) gone ??= shutdown.cutsConnections ? 'internal_error' : 'caller_left';
    if (gone === 'internal_error') linger.stop();
    else linger.leave();
  };
  scope.after(totalMs, () => {
    if (hasBegun({ response, wording })) {
      gone = 'caller_left';
      response.destroy();
    }
    linger.stop();
  });
  // A request that ends before its work takes the timers along that would have ended the work.
  scope.onClose(() => isOver || linger.stop());
  if (response.destroyed) onClose();
  else scope.on(response, 'close', onClose);
  return {
    signal: linger.signal,
    gone: () => gone,
    linger: (ms) => linger.set(ms),
    stop(why) {
      if (isOver) return;
      gone ??= why;
      stopWork(linger, why);
      if (why === 'internal_error') response.destroy();
    },
    end() {
      isOver = true;
      linger.end();
      scope.close();
    },
  };
}

function stopWork(linger: Linger, why: StopReason): void {
  // The vendor's last word is waited for only where it still decides what is paid.
  if (why === 'cancelled_by_caller') linger.leave();
  else linger.stop();
}

/** Tells requests that their process is ending. */
export interface Shutdown {
  /** Connections that outlasted the drain are being cut: a caller who loses one from now on has not left on their own. */
  cutsConnections: boolean;
}

export function createShutdown(): Shutdown {
  return { cutsConnections: false };
}

/** Aborts when the caller's connection is closed, also if that was before it was asked for. */
export function untilCallerLeaves({ response, scope }: Pick<Call, 'response' | 'scope'>): AbortController {
  const left = new AbortController();
  const leave = () => left.abort();
  scope.on(response, 'close', leave);
  if (response.destroyed) leave();
  return left;
}
