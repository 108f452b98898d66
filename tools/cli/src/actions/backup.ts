import { resolve } from 'node:path';
import { auditNow, type Violation } from '@mediagate/billing';
import { nanoToDecimal } from '@mediagate/contracts';
import { type BackupManifest, tryBackup, writeBackup } from '@mediagate/database';
import { version } from '../../package.json';
import { noteDone } from '../audited';
import { Refusal } from '../refusal';
import { type Answer, databaseName, reasonOf, type Session } from '../session';
import { auditText } from './audit';

export interface BackupFlags {
  /** Restore the file into a database of its own, and audit that. */
  try?: true;
}

export async function write(session: Session, to: string, flags: BackupFlags): Promise<Answer> {
  const url = session.deployment.databaseUrl();
  const database = await session.openDatabase();
  const path = resolve(to);
  const manifest = await writeOrRefuse(url, path);
  const { takenAt, books } = manifest;
  const subject = databaseName(url);
  await noteDone(session, database, { name: 'database.backup', subject, detail: { takenAt } });
  const written = `${path}: ${manifest.tables.length} tables, ${rowsOf(manifest)} rows, as of ${takenAt}; ${booksText(books)}`;
  const json = { file: path, ...describeBackup(manifest) };
  if (flags.try === undefined) return { json, text: written };
  const violations = await tryOrRefuse(session, { databaseUrl: url, path });
  await noteDone(session, database, {
    name: 'database.try_backup',
    subject,
    detail: { takenAt, violations: violations.length },
  });
  return {
    json: { ...json, tried: { clean: violations.length === 0, violations } },
    text: `${written}\nrestored into a database of its own; ${auditText(violations)}`,
    faulty: violations.length > 0,
  };
}

async function tryOrRefuse(session: Session, backup: { databaseUrl: string; path: string }): Promise<Violation[]> {
  try {
    return await tryBackup(backup, (restored) => auditNow(restored, session.actor));
  } catch (error) {
    throw new Refusal(`${backup.path} was written, and cannot be restored: ${reasonOf(error)}`);
  }
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
