import type { MediaBytes } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Ffmpeg } from '@mediagate/media';
import { createFingerprintTaker } from '@mediagate/provenance';
import type { Settings } from '@mediagate/settings';
import { Counter, type Registry } from 'prom-client';
import type { StoredOutput } from './profile';
import type { Run } from './run-state';

/** Keeps what results are like, so that files can be compared with them. Whatever fails loses no result. */
export interface ResultFingerprints {
  /** Looks at files that were stored, while they lie here. Nobody compares covers. */
  addHashes(
    stored: readonly StoredOutput[],
    files: readonly { bytes: MediaBytes; contentType: string }[],
    run: Pick<Run, 'task' | 'signal' | 'msLeft'>,
  ): Promise<StoredOutput[]>;
  /** To be called once the task has ended. */
  keep(task: Run['task'], outputs: readonly StoredOutput[]): Promise<void>;
}

interface Deps {
  database: Pick<Database, 'insertFingerprints'>;
  register: Registry;
  logger: Pick<Logger, 'warn'>;
  ffmpeg: Ffmpeg | undefined;
}

/** A file of a result, with what was cut out of it, is not kept from its caller for longer. */
const PATIENCE_MS = 20_000;
/** A task needs so much of its time for its further files and its end. */
const LEFT_TO_END_MS = 60_000;

/** Undefined: the operator wants none. */
export function createResultFingerprints(
  { fingerprints }: Pick<Settings['media'], 'fingerprints'>,
  { database, register, logger, ffmpeg }: Deps,
): ResultFingerprints | undefined {
  const counter = createCounter(register);
  if (fingerprints === 'off') return undefined;
  for (const state of ['kept', 'unseen', 'lost']) counter.inc({ state }, 0);
  const take = createFingerprintTaker(ffmpeg);
  const missed = (taskId: string, what: string) => (error: unknown) => {
    const detail = `${what}: ${error instanceof Error ? error.message : String(error)}`;
    logger.warn('output.imperfect', { taskId, detail });
    return undefined;
  };
  return {
    async addHashes(stored, files, { task, signal, msLeft }) {
      const unseen = missed(task.id, 'what it shows was not read');
      const patienceMs = Math.min(PATIENCE_MS, msLeft() - LEFT_TO_END_MS);
      if (patienceMs <= 0) {
        unseen(new Error('the task has no time left'));
        return [...stored];
      }
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
      const seen: StoredOutput[] = [];
      for (const [index, output] of stored.entries()) {
        const file = output.role === 'cover' ? undefined : files[index];
        const hashes = file && (await take(file, { owner: task, signal: inTime }).catch(unseen));
        seen.push(hashes === undefined ? output : { ...output, hashes });
      }
      return seen;
    },
    async keep(task, outputs) {
      const files = outputs.filter(({ role }) => role !== 'cover');
      if (files.length === 0) return;
      const rows = files.map((file, index) => toRow(task, file, index + 1));
      const kept = await database.insertFingerprints(rows).catch(missed(task.id, 'its fingerprints were not kept'));
      const stateOf = ({ hashes }: StoredOutput) => (hashes === undefined ? 'unseen' : 'kept');
      for (const file of files) counter.inc({ state: kept === undefined ? 'lost' : stateOf(file) });
    },
  };
}

function createCounter(register: Registry): Counter<'state'> {
  return new Counter({
    name: 'mediagate_result_fingerprints_total',
    help: 'Result files, by their fingerprints: kept; unseen (only the SHA-256, because the file could not be read in time); lost.',
    registers: [register],
    labelNames: ['state'],
  });
}

function toRow({ id: taskId, accountId, keyId }: Run['task'], file: StoredOutput, output: number) {
  const { role: kind, sha256, hashes = [] } = file;
  return { taskId, accountId, keyId, output, kind, sha256: Buffer.from(sha256, 'hex'), hashes };
}
