import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@mediagate/database';
import { openSmallDisk, runSql, type SmallDisk } from '@mediagate/testkit';
import { findServerUser } from '@mediagate/testkit/servers';

/** Moves the rows of tasks to a disk of a few MB. */
export async function moveTasks(database: Database): Promise<{ disk: SmallDisk; moveBack(): Promise<void> }> {
  const disk = await openSmallDisk();
  const place = join(disk.path, 'tasks');
  await mkdir(place, { mode: 0o700 });
  const owner = findServerUser();
  if (owner) await chown(place, owner.uid, owner.gid);
  const run = (sql: string) => runSql(database, sql);
  await run(`create tablespace nights location '${place}'`);
  await run('alter table tasks set tablespace nights');
  return {
    disk,
    async moveBack() {
      await run('alter table tasks set tablespace pg_default');
      await run('drop tablespace nights');
      await disk.close();
    },
  };
}
