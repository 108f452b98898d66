import { createHash } from 'node:crypto';
import type { Database } from '@mediagate/database';
import { ObjectMissingError, type Storage } from './storage';

export interface CopyFilesDeps {
  database: Pick<Database, 'mediaObject'>;
  from: Storage;
  to: Storage;
}

export interface CopiedFiles {
  copied: number;
  /** They were there, with the bytes that their rows name. */
  there: number;
  /** Keys of files that neither storage has. */
  missing: string[];
  /** Keys of files whose bytes in `from` are not those that their rows name: they are not copied. */
  damaged: string[];
  /** Keys of files that could not be read or written now, and the first of the reasons. */
  failed: string[];
  firstFailure?: string;
}

type Row = Awaited<ReturnType<typeof nextRows>>[number];
/** Removed: the file was removed while it was copied. */
type State = 'copied' | 'there' | 'missing' | 'damaged' | 'removed';

const TOGETHER = 16;

/**
 * Copies the files that are kept from one storage to another, and reads each back: it counts as there once its bytes have the hash of
 * its row. A file that cannot be copied holds up no other. Whatever interrupts it, the next run goes on with what is not there.
 */
export async function copyFiles(deps: CopyFilesDeps): Promise<CopiedFiles> {
  const done: CopiedFiles = { copied: 0, there: 0, missing: [], damaged: [], failed: [] };
  for (let after = ''; ; ) {
    const rows = await nextRows(deps, after);
    await Promise.all(
      rows.map(async (row) => {
        const state = await copyFile(row, deps).catch((error: unknown) => {
          done.firstFailure ??= String(error);
          return 'failed' as const;
        });
        if (state === 'copied' || state === 'there') done[state] += 1;
        else if (state !== 'removed') done[state].push(row.storageKey);
      }),
    );
    const last = rows.at(-1);
    if (last === undefined) return done;
    after = last.id;
  }
}

/** Not those that callers announced: their bytes are written by the callers, into the storage that is there by then. */
function nextRows({ database }: CopyFilesDeps, after: string) {
  return database.mediaObject.findMany({
    where: {
      id: { gt: after },
      deletedAt: null,
      purpose: { notIn: ['incoming', 'leftover'] },
    },
    select: { id: true, storageKey: true, contentType: true, bytes: true, sha256: true },
    orderBy: { id: 'asc' },
    take: TOGETHER,
  });
}

async function copyFile(row: Row, { from, to }: CopyFilesDeps): Promise<State> {
  const { storageKey: key, contentType, bytes } = row;
  if (isOf(row, await hashIn(to, key))) return 'there';
  const hash = await hashIn(from, key);
  if (hash === undefined) return 'missing';
  if (!isOf(row, hash)) return 'damaged';
  await to.put(key, await from.open(key), { contentType, bytes: Number(bytes) });
  // Who removes a file removes it from `from` first: one that is gone there now may have been looked for here before it came.
  if (!(await isThere(from, key))) {
    await to.remove(key);
    return 'removed';
  }
  if (!isOf(row, await hashIn(to, key))) throw new Error(`${key} was written, and reads back as something else`);
  return 'copied';
}

async function isThere(storage: Storage, key: string): Promise<boolean> {
  try {
    (await storage.open(key)).destroy();
    return true;
  } catch (error) {
    if (error instanceof ObjectMissingError) return false;
    throw error;
  }
}

/** Undefined: it is not there. */
async function hashIn(storage: Storage, key: string): Promise<Buffer | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of await storage.open(key)) hash.update(chunk);
    return hash.digest();
  } catch (error) {
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  }
}

function isOf({ sha256 }: Row, hash: Buffer | undefined): boolean {
  return hash?.equals(sha256) === true;
}
