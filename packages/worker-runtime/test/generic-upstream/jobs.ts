import type { CancelMove, CheckMove, JournalEntry, Script, StartMove } from './script';

export interface Job {
  id: string;
  label: string;
  reference: string | undefined;
  stage: number;
  cancelled?: true;
}

/** Keeps all that the upstream knows: its jobs, its instructions, and its own record of what happened. */
export function createJobs() {
  const jobs = new Map<string, Job>();
  const byReference = new Map<string, Job>();
  const scripts = new Map<string, Script>();
  const journal: JournalEntry[] = [];
  const finished = new Set<string>();
  const used = new Map<string, number>();
  const fetches = new Map<string, number>();

  function scriptOf(label: string, channel: string): Script {
    return { ...scripts.get(channel), ...scripts.get(label) };
  }

  /** The next move of a list; each label and key uses up its own. */
  function next<Move>(counter: string, moves: readonly Move[] | undefined, fallback: readonly Move[]): Move {
    const list = moves === undefined || moves.length === 0 ? fallback : moves;
    const index = used.get(counter) ?? 0;
    used.set(counter, index + 1);
    return list[Math.min(index, list.length - 1)] as Move;
  }

  function note(entry: Omit<JournalEntry, 'atMs'>): void {
    journal.push({ ...entry, atMs: performance.now() });
  }

  return {
    journal,
    note,
    scriptOf,
    /** Its work is over; reported once, however often it is checked. */
    noteFinished({ id, label }: Job, channel: string) {
      if (!finished.has(id)) note({ event: 'finished', label, channel, job: id });
      finished.add(id);
    },
    find: (id: string) => jobs.get(id),
    /** How often the file was asked for before; this time counts for the next. */
    fetchesOf(name: string): number {
      const before = fetches.get(name) ?? 0;
      fetches.set(name, before + 1);
      return before;
    },
    findByReference: (reference: string) => byReference.get(reference),
    instruct(subject: string, script: Script) {
      scripts.set(subject, script);
      for (const counter of [`start ${subject}`, `check ${subject}`, `cancel ${subject}`]) used.delete(counter);
    },
    startMove: (label: string, channel: string): StartMove =>
      scripts.get(label)?.starts === undefined
        ? next(`start ${channel}`, scripts.get(channel)?.starts, ['accept'])
        : next(`start ${label}`, scripts.get(label)?.starts, ['accept']),
    checkMove: (label: string, channel: string): CheckMove =>
      next(`check ${label}`, scriptOf(label, channel).checks, ['running', 'done']),
    cancelMove: (label: string, channel: string): CancelMove =>
      next(`cancel ${label}`, scriptOf(label, channel).cancels, ['cancel']),
    create(label: string, reference: string | undefined, stage: number): Job {
      const job = { id: `job-${jobs.size + 1}`, label, reference, stage };
      jobs.set(job.id, job);
      if (reference !== undefined) byReference.set(reference, job);
      return job;
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
