import type { Clock } from '../clock';
import { judgeLink } from '../media/allowed-link';
import type { MjAccount, MjTask } from './task';
import { reportOf } from './task-report';

/** Tells callers of changes of their tasks, once and unsigned; what does not arrive is not sent again. */
export interface Notifier {
  /** Follows a task from now on, if its caller wants to be called. `warn` receives what could not be delivered. */
  follow(task: MjTask, warn: (sentence: string) => void): void;
}

export interface NotifierOptions {
  clock: Clock;
  account: MjAccount;
  /** Hosts that may be called. */
  hosts: string[];
  closing: AbortSignal;
}

const CALL_TIMEOUT_MS = 10_000;
/** A sleeper may resume a rounded millisecond too early. */
const LATE_MS = 1;

export function createNotifier({ clock, account, hosts, closing }: NotifierOptions): Notifier {
  const reported = new WeakMap<MjTask, string>();

  const tell = async (task: MjTask, hook: string, warn: (sentence: string) => void) => {
    const report = reportOf(task, { account, clock });
    const news = `${report['status']} ${report['progress']}`;
    if (reported.get(task) === news) return;
    reported.set(task, news);
    try {
      const response = await fetch(hook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(report),
        redirect: 'error',
        signal: AbortSignal.any([closing, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      if (!response.ok) warn(`the callback was answered with ${response.status}`);
    } catch {
      warn('the callback could not be delivered');
    }
  };

  const followAll = async (task: MjTask, hook: string, warn: (sentence: string) => void) => {
    for (const at of milestones(task, clock.now())) {
      await clock.sleep(at - clock.now() + LATE_MS, closing);
      if (closing.aborted || account.tasks.find(task.id) !== task) return;
      await tell(task, hook, warn);
    }
  };

  return {
    follow(task, warn) {
      const { hook } = task.detail;
      if (hook === undefined || hook === '') return;
      if (judgeLink(hook, hosts) !== 'allowed') {
        return warn('callbacks go to the hosts of SIM_FETCH_HOSTS alone');
      }
      void followAll(task, hook, warn);
    },
  };
}

/** Now, when the work begins, halfway through, and when it ends; a task that waits for its window has nothing to come. */
function milestones({ submittedAtMs, startsAtMs, endsAtMs }: MjTask, nowMs: number): number[] {
  const coming = [(submittedAtMs + startsAtMs) / 2, startsAtMs, (startsAtMs + endsAtMs) / 2, endsAtMs];
  return [nowMs, ...coming.filter((at) => Number.isFinite(at) && at > nowMs).map(Math.ceil)];
}
