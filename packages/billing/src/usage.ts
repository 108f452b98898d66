import type { Database, UsageQuery, UsageRow } from '@mediagate/database';

/** What an account's tasks that were submitted in a time came to, by group. Groups beyond the limit are left out. */
export async function sumUsage(database: Database, query: UsageQuery): Promise<UsageRow[]> {
  return query.groups.metadata.length > 0 ? await database.sumUsageByMetadata(query) : await database.sumUsage(query);
}
