import { Pool } from 'pg';

/** Durable rows, written by one statement at a time for all who wait: what a commit of so many bytes takes by itself. */
export interface FloorLog {
  /** Resolves once `bytes` of write-ahead log more are on the disk. */
  write(bytes: number): Promise<void>;
  close(): Promise<void>;
}

const MAX_BATCH_ITEMS = 64;
const ROW_BYTES = 1000;
/** Bytes that PostgreSQL's log spends on a row beside its text: the record, the block's number, the row's own head. */
const HEAD_BYTES = 75;
export const WRITE = 'insert into floor_rows (body) select unnest($1::text[])';

/** Opens a log in a database that has no other writer. The table has no index; its texts are neither compressed nor kept elsewhere. */
export async function openFloorLog(url: string): Promise<FloorLog> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query('create table if not exists floor_rows (body text storage plain)');
  let waiting: { rows: readonly string[]; resolve(): void; reject(error: unknown): void }[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH_ITEMS);
      waiting = waiting.slice(MAX_BATCH_ITEMS);
      try {
        await pool.query({ name: 'write', text: WRITE, values: [batch.flatMap(({ rows }) => rows)] });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  }

  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        waiting.push({ rows: rowsOf(bytes), resolve, reject });
        if (busy) return;
        busy = true;
        setImmediate(drain);
      }),
    close: () => pool.end(),
  };
}

export function rowsOf(bytes: number): string[] {
  const count = Math.max(1, Math.ceil(bytes / ROW_BYTES));
  const row = 'x'.repeat(Math.max(1, Math.round(bytes / count) - HEAD_BYTES));
  return new Array<string>(count).fill(row);
}
