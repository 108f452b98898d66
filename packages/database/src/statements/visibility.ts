/**
 * A caller sees all of its account or, where a key is named, what that key and the keys that it made have made. Handlers, statements and
 * caches ask this file alone.
 */
export interface Visibility {
  accountId: string;
  /** The key of a caller with the scope `own`; null: the scope is `account`. */
  ownKeyId: string | null;
}

/** The account, the key and the maker of the key that a row belongs to. */
export interface Owned {
  accountId: string;
  keyId: string | null;
  keyMakerId: string | null;
}

/** Whether the caller sees the row. */
export function sees({ accountId, ownKeyId }: Visibility, row: Owned): boolean {
  if (row.accountId !== accountId) return false;
  return ownKeyId === null || row.keyId === ownKeyId || row.keyMakerId === ownKeyId;
}

/** The same as a condition on the column `key` of a row of the account; `own` is the parameter that has `ownKeyId`. */
export const isSeen = (key: string, own: string): string =>
  `(${own}::text is null or ${key} = ${own} or exists (select from api_keys o where o.id = ${key} and o.maker_id = ${own}))`;

/** Keys whose work the caller of `ownKeyId` sees. */
export const seenKeys = (own: string): string =>
  `(select o.id from api_keys o where o.id = ${own} or o.maker_id = ${own})`;

/** The column `keyMakerId` of `Owned`. */
export const keyMaker = (key: string): string =>
  `(select o.maker_id from api_keys o where o.id = ${key}) as "keyMakerId"`;
