import type { CommandConnection } from './connection';
import type { RedisNode } from './redis/nodes';

const SCANNED_AT_ONCE = 1000;

/** Removes every key below a prefix from one server. */
export async function clearKeys({ command }: CommandConnection, node: RedisNode, prefix: string): Promise<void> {
  let cursor = '0';
  do {
    const scan = () => node.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', SCANNED_AT_ONCE);
    const [next, keys] = await command(scan);
    if (keys.length > 0) await command(() => node.unlink(...keys));
    cursor = next;
  } while (cursor !== '0');
}
