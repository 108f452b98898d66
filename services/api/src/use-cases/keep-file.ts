import { join } from 'node:path';
import { type FileOnDisk, GatewayError } from '@mediagate/contracts';
import { type JudgedFile, MediaError, type StorageHealth, type UploadJudge, type WorkFolder } from '@mediagate/media';
import { FILE_BYTES_IN_FLIGHT } from '../request-limits';
import type { Caller } from './caller';
import { CallerLeftError } from './caller-connection';

type Uploader = Pick<Caller, 'id' | 'accountId' | 'isTest'>;

/** Bytes that may be held of memory or disk that all requests share. */
export interface SharedBytes {
  /** Undefined: so many more may be held; else why not. */
  take(bytes: number): GatewayError | undefined;
}

interface DiskLease extends SharedBytes {
  own(caller: Uploader): void;
  /** Undefined: one more file may come in; else why not. */
  open(): GatewayError | undefined;
  release(): void;
}

export interface JudgeUploadDeps {
  judge: UploadJudge;
  makeFolder(): Promise<WorkFolder>;
  disk: { lease(): DiskLease };
  health: Pick<StorageHealth, 'require' | 'use'>;
}

export interface ArrivingFile<Result> {
  caller: Uploader;
  /** The process's memory, for the bytes of the file that are on their way to the disk. */
  memory: SharedBytes;
  signal: AbortSignal;
  /** Bytes that the caller has announced: refused at once where there is no room for them. */
  announcedBytes: number;
  /** Writes the file to the path, and asks before for each byte. */
  receive(path: string, take: (bytes: number) => GatewayError | undefined): Promise<FileOnDisk>;
  /** Keeps the file, which was found good and lies on the disk until this ends. */
  keep(file: JudgedFile): Promise<Result>;
}

/** @throws StorageUnavailableError; GatewayError for a file that cannot be used, or when there is no more memory, disk or turn for it. */
export type JudgeArriving = <Result>(file: ArrivingFile<Result>) => Promise<Result>;

/** The name of a file in messages. */
export const FILE_FIELD = 'file';

/** Takes a caller's file in: on the disk while it arrives, then judged, then kept. Nothing stays on the disk, whatever happens. */
export function createJudgeArriving({ judge, makeFolder, disk, health }: JudgeUploadDeps): JudgeArriving {
  return async ({ caller, memory, signal, announcedBytes, receive, keep }) => {
    health.require();
    const lease = disk.lease();
    lease.own(caller);
    requireTaken(lease.open());
    try {
      requireTaken(lease.take(announcedBytes));
      requireTaken(memory.take(FILE_BYTES_IN_FLIGHT));
      const folder = await health.use('work', makeFolder);
      try {
        const path = join(folder.path, FILE_FIELD);
        const file = await health.use('work', () => receive(path, beyond(announcedBytes, lease)));
        const takeMemory = (bytes: number) => requireTaken(memory.take(bytes));
        return await keep(await judge(file, { field: FILE_FIELD, owner: caller, signal, takeMemory }).catch(refuse));
      } finally {
        await folder.remove();
      }
    } catch (error) {
      throw signal.aborted ? new CallerLeftError() : error;
    } finally {
      lease.release();
    }
  };
}

/** Counts the bytes of a file that are more than those already taken. */
function beyond(taken: number, lease: SharedBytes): (bytes: number) => GatewayError | undefined {
  let left = taken;
  return (bytes) => {
    const covered = Math.min(left, bytes);
    left -= covered;
    return covered === bytes ? undefined : lease.take(bytes - covered);
  };
}

function requireTaken(refused: GatewayError | undefined): void {
  if (refused) throw refused;
}

function refuse(error: unknown): never {
  if (!(error instanceof MediaError)) throw error;
  if (error.tooLarge) throw new GatewayError('body_too_large', error.problem, { param: error.field });
  throw new GatewayError('invalid_request', error.problem, { reason: 'bad_media', param: error.field });
}
