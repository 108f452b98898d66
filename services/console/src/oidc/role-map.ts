import { type UserRights, userRights } from '@mediagate/contracts';
import { valuesOf } from './claims';

/** The rights that a value of the provider's claim stands for: `admins=operator:admin`, `studio=account:acct_1:owner`. */
export type RoleMap = ReadonlyMap<string, UserRights>;

/** @throws Error naming an entry that says nothing. */
export function parseRoleMap(entries: readonly string[]): RoleMap {
  return new Map(
    entries.map((entry) => {
      const at = entry.lastIndexOf('=');
      const [kind = '', ...rest] = entry.slice(at + 1).split(':');
      const [accountId, role = ''] = kind === 'account' ? rest : [undefined, ...rest];
      const rights = userRights(kind, role, accountId);
      if (at < 1 || !rights || rest.length !== (kind === 'account' ? 2 : 1)) throw new Error(`${entry} is no mapping`);
      return [entry.slice(0, at), rights];
    }),
  );
}

/** The rights of the map's first entry whose value the claim has; undefined: no entry fits, or there is no map. */
export function rightsOfClaim(map: RoleMap, claim: unknown): UserRights | undefined {
  const values = new Set(valuesOf(claim));
  return [...map].find(([value]) => values.has(value))?.[1];
}
