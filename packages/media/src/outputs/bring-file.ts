import { join } from 'node:path';
import { type Held, Slots } from '@mediagate/concurrency';
import type { FileOnDisk, Owner } from '@mediagate/contracts';
import { FileWriter } from '@mediagate/egress';
import { type FilesPerResult, WorkSlots } from '../work-slots';
import { type WorkSpace, workSpaceOf } from '../work-space';
import { workSpaceSettings } from '../work-space-settings';
import { OutputError } from './output';
import { createWorkFolders, type WorkFolder } from './work-folder';

export interface Transfer {
  /** The file is no larger than this. */
  maxBytes: number;
  /** Default: one. */
  filesPerResult?: FilesPerResult | undefined;
  owner: Owner;
  signal: AbortSignal;
  /** Hands over the bytes as they come in. Its time limit begins when it is called. */
  receive(take: (chunks: AsyncIterable<Buffer>) => Promise<FileOnDisk>): Promise<FileOnDisk>;
}

export interface BroughtFile {
  file: FileOnDisk;
  /** Removes it, with all that was made beside it. */
  dispose(): Promise<void>;
}

export type FileBringer = (transfer: Transfer) => Promise<BroughtFile>;

const DEFAULTS = { WORK_FOLDER: undefined, WORK_FOLDER_MB: workSpaceSettings.WORK_FOLDER_MB.default };
/** Results that come in at once: four of one owner's, two of test work. */
const MAX_TRANSFERS = 8;

/**
 * Brings results into files, however large they are, within the space that they have.
 *
 * @throws OutputError for a result beyond the space of one; what `receive` throws; the signal's reason.
 */
export function createFileBringer(work: WorkSpace = workSpaceOf(DEFAULTS, new WorkSlots())): FileBringer {
  const { folder: root, maxFileBytes } = work;
  const space = work.slots.resultBytes(work);
  const transfers = new Slots({ capacity: MAX_TRANSFERS });
  const makeFolder = createWorkFolders({ root });

  // Where all results may have copies, the space is counted in pairs.
  const counted = (bytes: number, files: FilesPerResult = 1) => Math.ceil((bytes * files) / (work.filesPerResult ?? 1));

  return async ({ maxBytes, filesPerResult, owner, signal, receive }) => {
    const transfer = await transfers.take({ owner }, signal);
    let held: Held | undefined;
    let folder: WorkFolder | undefined;
    const dispose = () => Promise.resolve(folder?.remove()).finally(held?.release);
    try {
      held = await space.take({ owner, amount: counted(maxBytes, filesPerResult) }, signal);
      folder = await makeFolder();
      const path = join(folder.path, 'output');
      const file = await receive((chunks) => write(path, chunks, Math.min(maxBytes, maxFileBytes)));
      held.shrinkTo(counted(file.totalBytes, filesPerResult));
      return { file, dispose };
    } catch (error) {
      await dispose();
      throw error;
    } finally {
      transfer.release();
    }
  };
}

async function write(path: string, chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<FileOnDisk> {
  const writer = new FileWriter(async () => path);
  let totalBytes = 0;
  try {
    for await (const chunk of chunks) {
      totalBytes += chunk.length;
      if (totalBytes > maxBytes)
        throw new OutputError(`the result is larger than ${maxBytes} bytes, which it may take of the work folder`);
      writer.push(chunk);
      await FileWriter.backlogOf([writer]);
    }
    return await writer.end();
  } finally {
    await writer.close();
  }
}
