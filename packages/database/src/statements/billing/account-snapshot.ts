/** An account's row `alias` as JSON, for the audit log and for whoever changed it. Amounts in nano-units, as decimal text. */
export const accountSnapshot = (alias: string): string => `jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name,
    'balance', (${alias}.topped_up_nano - ${alias}.held_nano - ${alias}.settled_nano)::text, 'held', ${alias}.held_nano::text,
    'settled', ${alias}.settled_nano::text, 'createdAt', ${alias}.created_at)`;

export type AccountSnapshot = {
  id: string;
  name: string;
  balance: string;
  held: string;
  settled: string;
  /** ISO 8601. */
  createdAt: string;
};
