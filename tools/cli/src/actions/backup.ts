import { resolve } from 'node:path';
import { nanoToDecimal } from '@mediagate/contracts';
import { type BackupManifest, writeBackup } from '@mediagate/database';
import { version } from '../../package.json';
import { noteDone } from '../audited';
import { Refusal } from '../refusal';
import { type Answer, databaseName, reasonOf, type Session } from '../session';

export async function write(session: Session, to: string): Promise<Answer> {
  const url = session.deployment.databaseUrl();
  const database = await session.openDatabase();
  const path = resolve(to);
  const manifest = await writeOrRefuse(url, path);
  const { takenAt, books } = manifest;
  await noteDone(session, database, { name: 'database.backup', subject: databaseName(url), detail: { takenAt } });
  const rows = rowsOf(manifest);
  return {
    json: { file: path, ...describeBackup(manifest) },
    text: `${path}: ${manifest.tables.length} tables, ${rows} rows, as of ${takenAt}; ${booksText(books)}`,
  };
}

async function writeOrRefuse(databaseUrl: string, path: string): Promise<BackupManifest> {
  try {
    return await writeBackup({ databaseUrl, path, version });
  } catch (error) {
    throw new Refusal(`no backup was written: ${reasonOf(error)}`);
  }
}

/** For scripts: what the file holds. */
export function describeBackup({ version: of, takenAt, migrations, tables, books }: BackupManifest) {
  return {
    version: of,
    taken_at: takenAt,
    migration: migrations.at(-1) ?? null,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    books: {
      topped_up_nano: books.toppedUpNano,
      held_nano: books.heldNano,
      settled_nano: books.settledNano,
      ledger_entries: books.ledgerEntries,
    },
  };
}

export function rowsOf({ tables }: BackupManifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export function booksText({ toppedUpNano, heldNano, settledNano }: BackupManifest['books']): string {
  const [toppedUp, held, settled] = [toppedUpNano, heldNano, settledNano].map((sum) => nanoToDecimal(BigInt(sum)));
  return `topped up ${toppedUp}, held ${held}, settled ${settled}`;
}
