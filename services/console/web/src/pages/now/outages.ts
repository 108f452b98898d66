import type { components } from '../../api/generated/api.ts';
import type { Process } from './process.ts';

type Queues = components['schemas']['Queues'];
type Notice = components['schemas']['Notice'];

/** A part of the deployment of our own that keeps work from being done; the runbook is a file of `docs/runbooks`. */
export type Outage = { runbook: string; since: number | null } & (
  | { kind: 'notice'; text: string; id: string }
  | { kind: 'process'; name: string; state: Exclude<Process['state'], 'ready'>; reason: string | null }
  | { kind: 'paused' | 'untaken' | 'late'; queue: string; waiting: number }
);

/** As long as the alerts on work that nobody takes. */
const LATE_SECONDS = 300;
/** Notices that have rows of their own in the list of troubles. */
const SHOWN_ELSEWHERE = ['channel_sick', 'audit_violation'];

interface Known {
  processes: readonly Process[];
  queues: Queues | undefined;
  notices: readonly Notice[];
  nowSeconds: number;
}

/** Lists outages, those that stop most work first: the storage, processes, then queues by the age of their oldest work. */
export function outagesOf({ processes, queues, notices, nowSeconds }: Known): Outage[] {
  const ofNotices = notices
    .filter(({ account_id: account, kind }) => account === null && !SHOWN_ELSEWHERE.includes(kind))
    .map(({ id, kind, text, since }): Outage => ({ kind: 'notice', id, text, since, runbook: runbookOf(kind) }));
  const down = processes.flatMap(({ name, address, state, reason }): Outage[] => {
    if (state === 'ready') return [];
    return [{ kind: 'process', name: `${name} ${address}`, state, reason, since: null, runbook: 'process-down.md' }];
  });
  return [...ofNotices, ...down, ...(queues === undefined ? [] : untakenIn(queues, nowSeconds))];
}

function runbookOf(kind: string): string {
  return kind === 'storage_failing' ? 'storage-full.md' : 'notices.md';
}

function untakenIn({ families, callbacks }: Queues, nowSeconds: number): Outage[] {
  const all = [
    ...families.map((of) => ({ queue: of.family as string, runbook: 'stuck-tasks.md', ...of })),
    { queue: 'deliveries', runbook: 'callbacks.md', has_queue: true, waiting: callbacks.due, ...callbacks },
  ];
  const found = all.flatMap(({ queue, runbook, has_queue, waiting, oldest_seconds: oldest, jobs }): Outage[] => {
    const since = oldest === null ? null : nowSeconds - oldest;
    const row = { queue, waiting, since, runbook };
    if (jobs?.paused) return [{ kind: 'paused', ...row }];
    if (has_queue && jobs?.workers === 0 && waiting > 0) return [{ kind: 'untaken', ...row }];
    return oldest !== null && oldest > LATE_SECONDS ? [{ kind: 'late', ...row }] : [];
  });
  return found.toSorted((one, other) => (one.since ?? nowSeconds) - (other.since ?? nowSeconds));
}
