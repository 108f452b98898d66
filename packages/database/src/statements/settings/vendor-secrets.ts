import type { Statement } from '../../statement';
import { awaitedDestinations, referenceTo } from '../channels/secret-destinations';
import { type ChangedRow, type ChangeRequest, change, noteOf, withNote } from '../identity/note';

export interface SealedSecret {
  name: string;
  sealed: Uint8Array;
}

export interface SecretToSet extends SealedSecret {
  /** Base URLs, as they are written, at which jobs may be under way that name it; null: at any. */
  baseUrls: readonly string[] | null;
}

/** The audit log says that it was set, and not to what. No row: a job that names it is under way at another base URL than those. */
export const setVendorSecret: Statement<[secret: SecretToSet, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
admitted as (
  update settings_version v set version = v.version + 1
  where $6::text[] is null or not exists (
    select from (${awaitedDestinations('$7')}) d where (d."baseUrl" = any($6::text[])) is not true
  )
  returning v.version
),
new as (
  insert into vendor_secrets as k (name, sealed, set_by, reason) select $2, $3, $4, $5 from admitted
  on conflict (name) do update set sealed = excluded.sealed, set_by = excluded.set_by, reason = excluded.reason, set_at = now()
  returning k.name, k.set_at
),
changed as (
  select n.name as subject,
    case when exists (select from vendor_secrets o where o.name = $2) then jsonb_build_object('secret', 'set') end as before,
    jsonb_build_object('secret', 'changed') as after
  from new n
)`),
  values: ({ name, sealed, baseUrls }, request) => [
    noteOf('secret.set', request),
    name,
    sealed,
    request.actor,
    request.reason ?? null,
    baseUrls,
    referenceTo(name),
  ],
};

/** The same secret under another key. No row: it is not the one any more that was sealed as `from`. */
export const resealVendorSecret: Statement<
  [secret: SealedSecret & { from: Uint8Array }, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(`
new as (
  update vendor_secrets k set sealed = $4 where k.name = $2 and k.sealed = $3 returning k.name
),
changed as (
  select n.name as subject, jsonb_build_object('secret', 'set') as before, jsonb_build_object('secret', 'resealed') as after
  from new n
)`),
  values: ({ name, from, sealed }, request) => [noteOf('secret.set', request), name, from, sealed],
};

/** No row: there is none of that name. */
export const removeVendorSecret = change<[name: string]>({
  text: withNote(`
gone as (
  delete from vendor_secrets k where k.name = $2 returning k.name
),
admitted as (
  update settings_version v set version = v.version + 1 from gone returning v.version
),
changed as (
  select g.name as subject, jsonb_build_object('secret', 'set') as before, jsonb_build_object('secret', 'removed') as after
  from gone g cross join admitted
)`),
  values: (name, request) => [noteOf('secret.remove', request), name],
});

export interface ListedSecret {
  name: string;
  sealed: Uint8Array;
  setBy: string;
  setAt: Date;
  reason: string | null;
}

export const listVendorSecrets: Statement<[], ListedSecret> = {
  text: `
select k.name, k.sealed, k.set_by as "setBy", k.set_at as "setAt", k.reason from vendor_secrets k order by k.name`,
  values: () => [],
};
