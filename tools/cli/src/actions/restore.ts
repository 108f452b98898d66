import { resolve } from 'node:path';
import { BackupFileError, type DoubtedTask, type Restored, RestoreRefusal, restoreBackup } from '@mediagate/database';
import { noteDone } from '../audited';
import { Refusal } from '../refusal';
import { type Answer, databaseName, reasonOf, type Session } from '../session';
import { booksText, describeBackup, rowsOf } from './backup';

export interface RestoreFlags {
  overwrite?: true;
  sendCallbacks?: true;
}

/** Ids of each kind that the text shows: the JSON has all of them. */
const SHOWN = 20;

export async function restore(session: Session, from: string, flags: RestoreFlags): Promise<Answer> {
  const url = session.deployment.databaseUrl();
  const options = { overwrite: flags.overwrite === true, sendCallbacks: flags.sendCallbacks === true };
  const restored = await restoreOrRefuse({ databaseUrl: url, path: resolve(from), ...options });
  const { manifest, doubts } = restored;
  const detail = {
    takenAt: manifest.takenAt,
    accepted: doubts.accepted.length,
    asked: doubts.asked.length,
    waiting: doubts.waiting.length,
    callbacks: doubts.callbacks.length,
    ...options,
  };
  await noteDone(session, await session.openDatabase(), {
    name: 'database.restore',
    subject: databaseName(url),
    detail,
  });
  await session.clearQueues();
  return { json: describe(restored), text: lines(restored, options).join('\n') };
}

async function restoreOrRefuse(options: Parameters<typeof restoreBackup>[0]): Promise<Restored> {
  try {
    return await restoreBackup(options);
  } catch (error) {
    const isRefused = error instanceof RestoreRefusal || error instanceof BackupFileError;
    const name = databaseName(options.databaseUrl);
    throw new Refusal(isRefused ? error.message : `${name} was not restored: ${reasonOf(error)}`);
  }
}

function describe({ manifest, applied, doubts }: Restored) {
  const tasks = (doubted: DoubtedTask[]) =>
    doubted.map(({ id, accountId, channelId }) => ({ id, account: accountId, channel: channelId }));
  return {
    ...describeBackup(manifest),
    applied,
    in_doubt: {
      accepted: tasks(doubts.accepted),
      asked: tasks(doubts.asked),
      waiting: tasks(doubts.waiting),
      callbacks: doubts.callbacks.map(({ id, taskId }) => ({ id, task: taskId })),
    },
  };
}

function lines({ manifest, applied, doubts }: Restored, { sendCallbacks }: { sendCallbacks: boolean }): string[] {
  const held = sendCallbacks
    ? 'callbacks that are sent, and may have been since'
    : 'callbacks that are not sent until you redeliver them';
  return [
    `restored ${manifest.tables.length} tables, ${rowsOf(manifest)} rows, as of ${manifest.takenAt}; ${booksText(manifest.books)}`,
    ...applied.map((name) => `applied ${name}`),
    line('jobs that vendors had accepted, who are asked again', doubts.accepted),
    line('jobs that vendors were being asked for, which are refunded and go to quarantine', doubts.asked),
    line('tasks not begun, which run or are refunded, and may have run since', doubts.waiting),
    line(held, doubts.callbacks),
    `whatever was accepted, paid in or changed after ${manifest.takenAt} is unknown here: docs/runbooks/restore.md says what to do`,
  ];
}

function line(what: string, found: readonly { id: string }[]): string {
  const ids = found.slice(0, SHOWN).map(({ id }) => id);
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more (--json names all)` : '';
  return `${found.length} ${what}${ids.length === 0 ? '' : `: ${ids.join(' ')}${more}`}`;
}
