import type { RedisNode } from '@mediagate/queue';
import { decodeEntries, type Sent } from './wire';

/** How long one read waits; below the limit on every command. */
const READ_MS = 500;
/** Entries of one read: 16 MiB of the largest. */
const READ_ENTRIES = 256;
/** Entries that were read are removed from Redis after so many bytes, and with every `keep`. */
const TRIM_BYTES = 1024 * 1024;

export interface InboxOptions {
  commands: RedisNode;
  /** A connection of its own, for blocking reads. */
  reading: RedisNode;
  key: string;
  /** How long the stream outlives its process. */
  lifetimeMs: number;
  receive(sent: Sent): void;
  fail(error: Error): void;
}

/** The stream of one API process. */
export interface Inbox {
  /** To be called at least every `lifetimeMs`. @throws Error when the stream is gone. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

export async function openInbox({ commands, reading, key, lifetimeMs, receive, fail }: InboxOptions): Promise<Inbox> {
  // Workers add with NOMKSTREAM, so the stream must exist first.
  let lastId = String(await commands.xadd(key, '*', 'opened', ''));
  await commands.pexpire(key, lifetimeMs);
  let isOpen = true;
  let untrimmed = 0;

  async function read(): Promise<void> {
    while (isOpen) {
      const reply = await reading.callBuffer('XREAD', 'COUNT', READ_ENTRIES, 'BLOCK', READ_MS, 'STREAMS', key, lastId);
      const entries = decodeEntries(reply);
      if (!entries || !isOpen) continue;
      lastId = entries.lastId;
      for (const sent of entries.sent) {
        untrimmed += sent.bytes.length;
        receive(sent);
      }
      if (untrimmed > TRIM_BYTES) trim().catch(fail);
    }
  }

  async function trim(): Promise<void> {
    untrimmed = 0;
    await commands.xtrim(key, 'MINID', idAfter(lastId));
  }

  read().catch(fail);
  return {
    async keep() {
      const [isThere] = await Promise.all([commands.pexpire(key, lifetimeMs), trim()]);
      if (isThere === 0) throw new Error('the stream was removed');
    },
    async close() {
      isOpen = false;
      // Without Redis the stream expires by itself.
      await commands.unlink(key).catch(() => undefined);
    },
  };
}

/** MINID keeps the entry that it names. */
function idAfter(id: string): string {
  const [ms, number] = id.split('-');
  return `${ms}-${BigInt(number ?? 0) + 1n}`;
}
