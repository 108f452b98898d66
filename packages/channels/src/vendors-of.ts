import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

/**
 * Finds the vendor of each channel, as the channel's settings name it now; where the channel is gone, as they did when a task went
 * there last. A channel without one has its protocol as its vendor.
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
