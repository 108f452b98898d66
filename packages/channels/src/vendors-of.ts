import type { JsonObject } from '@mediagate/contracts';
import type { Channels } from './channels';

/**
 * Finds the vendor of each channel, as the channel's settings name it now; where the channel is gone, as they did when a task went
 * there last. A channel without one has its protocol as its vendor.
 */
export async function vendorsOf({
  database,
  sources,
}: Pick<Channels, 'database' | 'sources'>): Promise<Map<string, string>> {
  const remembered = await database.channelDefinition.findMany({ select: { id: true, source: true } });
  const vendors = remembered.map(({ id, source }) => [id, vendorOf(source as JsonObject)] as const);
  return new Map([...vendors, ...[...(await sources())].map(([id, source]) => [id, vendorOf(source)] as const)]);
}

function vendorOf({ vendor, protocol }: JsonObject): string {
  return String(vendor ?? protocol);
}
