/** The description of a backup, which precedes its rows. */
export interface BackupManifest {
  format: 1;
  /** The version of mediagate. */
  version: string;
  /** The moment by the database's clock: everything committed before is in the backup, nothing committed after. */
  takenAt: string;
  /** The applied migrations, oldest first. */
  migrations: string[];
  /** The tables, each after those that its rows refer to. */
  tables: BackupTable[];
  sequences: { name: string; next: string }[];
  books: Books;
}

interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
}

/** Sums of the books in nano-units, as texts, because JSON has no integers of their size. */
export interface Books {
  toppedUpNano: string;
  heldNano: string;
  settledNano: string;
  ledgerEntries: string;
}

export const READ_BOOKS = `
select sum(topped_up_nano)::text as "toppedUpNano", sum(held_nano)::text as "heldNano",
  sum(settled_nano)::text as "settledNano", (select count(*)::text from ledger_entries) as "ledgerEntries"
from (select topped_up_nano, held_nano, settled_nano from accounts union all values (0, 0, 0)) a`;
