import type { Clock } from '../clock';
import { judgeLink } from '../media/fetch-bounded';
import type { JsonObject } from '../vendor-call/contract';
import type { VendorJob } from './vendor-job';

/** Calls back when a job has ended, or has come so far, unless that is no news. What does not arrive is not sent again. */
export interface Callbacks {
  announce(job: VendorJob<unknown>, callback: Callback): void;
}

export interface Callback {
  url: string;
  /** The body that is posted, as the job is by then. */
  report(): JsonObject;
  /** Whether the vendor still knows the job, and reports how it is now. */
  isReported(): boolean;
  /** How often the same is posted, all at once. */
  times: number;
  /** Shares of the work after which it is posted. */
  at: readonly number[];
  /** Receives what could not be delivered. */
  warn(sentence: string): void;
}

export interface CallbacksOptions {
  clock: Clock;
  /** Hosts that may be called. */
  hosts: string[];
  closing: AbortSignal;
}

const CALL_TIMEOUT_MS = 10_000;
/** A sleeper may resume a rounded millisecond too early. */
const LATE_MS = 1;

export function createCallbacks({ clock, hosts, closing }: CallbacksOptions): Callbacks {
  const post = async (job: VendorJob<unknown>, body: string, { url, warn }: Callback) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([closing, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      job.callbacks = [...(job.callbacks ?? []), response.status];
    } catch {
      warn('the callback could not be delivered');
    }
  };

  const wait = async (job: VendorJob<unknown>, callback: Callback) => {
    const { startsAtMs, endsAtMs } = job;
    let posted = '';
    for (const share of callback.at) {
      await clock.sleep(startsAtMs + share * (endsAtMs - startsAtMs) - clock.now() + LATE_MS, closing);
      if (closing.aborted || !callback.isReported()) return;
      const body = JSON.stringify(callback.report());
      if (body === posted) continue;
      posted = body;
      await Promise.all(Array.from({ length: callback.times }, () => post(job, body, callback)));
    }
  };

  return {
    announce(job, callback) {
      if (judgeLink(callback.url, hosts) !== 'allowed') {
        return callback.warn('callbacks go to the hosts of SIM_FETCH_HOSTS alone');
      }
      if (Number.isFinite(job.endsAtMs)) void wait(job, callback);
    },
  };
}
