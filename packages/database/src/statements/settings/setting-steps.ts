import type { Json, JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../identity/note';

/** Sections of the configuration file that operators set fields of. */
export type SettingSection = 'channels' | 'webhooks';

/** A field that an operator has set over the file. */
export interface SettingStep {
  id: string;
  section: SettingSection;
  /** The id of the channel; empty in a section without names. */
  name: string;
  field: string;
  /** The value in the form of the file; null: as the file says. */
  value: Json;
  /** The time until it takes effect, by the database's clock; below zero: it is in effect. */
  effectiveInMs: number;
  effectiveAt: string;
  setBy: string;
  reason: string | null;
}

/** All that operators have set, of one moment. */
export interface StoredSettings {
  version: bigint;
  /** For each field the step in effect, and all later ones, in the order of their moments. */
  steps: SettingStep[];
  /** Sealed, in base64. */
  secrets: { name: string; sealed: string }[];
}

export const readSettings: Statement<[], StoredSettings> = {
  text: `
with latest as (
  select distinct on (s.section, s.name, s.field) s.id from setting_steps s where s.effective_at <= now()
  order by s.section, s.name, s.field, s.effective_at desc, s.id desc
),
step as (
  select s.* from setting_steps s
  where s.effective_at > now() or (s.value is not null and s.id in (select l.id from latest l))
)
select v.version,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', s.id::text, 'section', s.section, 'name', s.name, 'field', s.field, 'value', s.value,
      'effectiveInMs', extract(epoch from s.effective_at - now()) * 1000, 'effectiveAt', s.effective_at, 'setBy', s.set_by,
      'reason', s.reason) order by s.effective_at, s.id)
    from step s
  ), '[]') as steps,
  coalesce((
    select jsonb_agg(jsonb_build_object('name', k.name, 'sealed', encode(k.sealed, 'base64')) order by k.name) from vendor_secrets k
  ), '[]') as secrets
from settings_version v`,
  values: () => [],
};

export interface SettingsToChange {
  /** The version that the change was judged by. */
  version: bigint;
  section: SettingSection;
  name: string;
  /** Values by field; null: as the file says. */
  fields: JsonObject;
  /** The values in force until now, for the audit log. */
  before: JsonObject;
  /** Null: as soon as `leadMs` allows. */
  effectiveAt: Date | null;
  /** How long before its moment every process must know it. */
  leadMs: number;
  /** Later steps of the same fields are deleted, too. */
  endsLater: boolean;
  /** Fields that count at once, whatever the others wait for. */
  atOnce: readonly string[];
}

/**
 * Changes settings from a moment on. Without a field nothing changes but the audit log, and no process reads its settings anew. No row: others have changed something since that version, or the moment is too soon.
 *
 * @throws DatabaseConflictError where it has become too soon by the time that the statement ends (`refuse_late_setting`).
 */
export const changeSettings: Statement<[wanted: SettingsToChange, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
moment as materialized (
  select coalesce($7::timestamptz, m.earliest) as effective_at
  from (select now() + $8::float8 * interval '1 millisecond' as earliest) m where coalesce($7::timestamptz >= m.earliest, true)
),
admitted as (
  update settings_version v set version = v.version + ($5::text <> '{}')::int from moment m where v.version = $2
  returning v.version, m.effective_at
),
step as (
  select f.key as field, nullif(f.value, 'null'::jsonb) as value,
    case when f.key = any($12::text[]) then now() else a.effective_at end as effective_at
  from admitted a cross join jsonb_each($5::text::jsonb) f
  union all
  select distinct s.field, null::jsonb, s.effective_at from admitted a
  join setting_steps s on s.section = $3 and s.name = $4 and s.effective_at > case when s.field = any($12::text[]) then now() else a.effective_at end
  where $11 and $5::text::jsonb ? s.field
),
new as (
  insert into setting_steps (version, section, name, field, value, effective_at, set_by, reason)
  select a.version, $3, $4, s.field, s.value, s.effective_at, $9, $10 from step s cross join admitted a
),
changed as (
  select coalesce(nullif($4, ''), $3) as subject, $6::text::jsonb as before,
    $5::text::jsonb || jsonb_build_object('effective_at', a.effective_at) as after
  from admitted a
)`),
  values: ({ version, section, name, fields, before, effectiveAt, leadMs, endsLater, atOnce }, request) => [
    noteOf(`${section === 'channels' ? 'channel' : 'callback'}.override`, request),
    version,
    section,
    name,
    JSON.stringify(fields),
    JSON.stringify(before),
    effectiveAt,
    leadMs,
    request.actor,
    request.reason ?? null,
    endsLater,
    atOnce,
  ],
};
