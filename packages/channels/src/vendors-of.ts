import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

/**
 * Whose each channel is: as the file says now, and of channels that it has no more as it said when a task went there last. A
 * channel that does not say belongs to its protocol.
 */
export async function vendorsOf(
  database: Pick<Database, 'channelDefinition'>,
  sources: ReadonlyMap<string, JsonObject>,
): Promise<Map<string, string>> {
  const remembered = await database.channelDefinition.findMany({ select: { id: true, source: true } });
  const vendors = remembered.map(({ id, source }) => [id, vendorOf(source as JsonObject)] as const);
  return new Map([...vendors, ...[...sources].map(([id, source]) => [id, vendorOf(source)] as const)]);
}

function vendorOf({ vendor, protocol }: JsonObject): string {
  return String(vendor ?? protocol);
}
