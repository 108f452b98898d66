import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import {
  type ChangedRow,
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  DatabaseConflictError,
  type SettingSection,
  type SettingStep,
  type StoredSettings,
} from '@mediagate/database';
import type { FieldFault } from '@mediagate/settings';
import type { ChangedChannels } from './channels';
import { SETTINGS_LEAD_MS } from './follow-overrides';
import { foldSteps, type Overrides } from './setting-schedule';

export interface WantedSettings {
  /** Values as the file would have them; null: the file's value counts. */
  fields: JsonObject;
  /** Absent: as soon as every process knows it. */
  effectiveAt?: Date | undefined;
}

/** Why nothing was changed, where it is not one of `ChangeOutcome`. */
export type SettingsRefusal =
  | { kind: 'faulty'; faults: readonly FieldFault[] }
  /** The moment is not far enough ahead for every process to know of it. */
  | { kind: 'too_soon' };

export type SettingsOutcome = ChangeOutcome | SettingsRefusal;

/** These decide what vendors are paid: every process knows of a change before it counts. */
export const TIMED_FIELDS: ReadonlySet<string> = new Set(['models', 'costs', 'credit_cost']);
/** Others may change something at the same moment. */
const MAX_TRIES = 5;

/** A change that is right. */
export interface Judged {
  section: SettingSection;
  name: string;
  before: JsonObject;
  wanted: WantedSettings;
  /** Values that are set for later for the same fields are dropped, too. */
  endsLater?: true;
  /** The fields that count at once. Default: all count from one moment on. */
  atOnce?: readonly string[];
}

/** @param judge undefined: there is nothing to change. */
export async function change(
  { database }: ChangedChannels,
  request: ChangeRequest,
  judge: (stored: StoredSettings) => Judged | SettingsRefusal | undefined,
): Promise<SettingsOutcome> {
  let refusal: SettingsRefusal | undefined;
  const outcome = await changeOnce(database, request, async () => {
    let stored = await readStored(database);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const judged = judge(stored);
      refusal = judged !== undefined && 'kind' in judged ? judged : undefined;
      if (judged === undefined || 'kind' in judged) return [];
      const rows = await write(database, { ...judged, version: stored.version }, request);
      if (rows.length > 0) return rows;
      const { version: judgedAt } = stored;
      stored = await readStored(database);
      if (stored.version === judgedAt) {
        refusal = { kind: 'too_soon' };
        return [];
      }
    }
    throw new DatabaseConflictError(new Error('others change settings all the time'));
  });
  return outcome.kind === 'unchanged' && refusal ? refusal : outcome;
}

function write(
  database: Database,
  {
    wanted: { fields, effectiveAt = undefined },
    endsLater = undefined,
    atOnce = [],
    ...judged
  }: Judged & { version: bigint },
  request: ChangeRequest,
): Promise<ChangedRow[]> {
  const leadMs = Object.keys(fields).some((field) => TIMED_FIELDS.has(field)) ? SETTINGS_LEAD_MS : 0;
  const moment = { effectiveAt: effectiveAt ?? null, leadMs };
  return database.changeSettings({ ...judged, ...moment, fields, atOnce, endsLater: endsLater === true }, request);
}

/** @throws Error where the database was never migrated. */
export async function readStored(database: Pick<Database, 'readSettings'>): Promise<StoredSettings> {
  const [stored] = await database.readSettings();
  if (stored === undefined) throw new Error('the table settings_version has no row');
  return stored;
}

export function stepsOf({ steps }: StoredSettings, section: SettingSection, name: string): SettingStep[] {
  return steps.filter((step) => step.section === section && step.name === name);
}

export function inEffect(steps: readonly SettingStep[]): SettingStep[] {
  return steps.filter(({ effectiveInMs }) => effectiveInMs <= 0);
}

interface SetPart extends Pick<SettingStep, 'section' | 'name'> {
  steps: readonly SettingStep[];
}

/** The settings of operators as they will be from the change's moment on, and from each later moment. */
export function statesFrom(wanted: WantedSettings, { section, name, steps }: SetPart): Overrides[] {
  const momentMs = wanted.effectiveAt === undefined ? 0 : Math.max(wanted.effectiveAt.getTime() - Date.now(), 0);
  const changed = Object.entries(wanted.fields).map(([field, value]) => ({ section, name, field, value, momentMs }));
  const all = [...steps.map((step) => ({ ...step, momentMs: step.effectiveInMs })), ...changed];
  const ordered = all.toSorted((one, other) => one.momentMs - other.momentMs);
  const moments = new Set([momentMs, ...ordered.map((each) => each.momentMs).filter((each) => each > momentMs)]);
  return [...moments].map((moment) => foldSteps(ordered.filter((step) => step.momentMs <= moment)));
}

/** The values that counted until now, for the fields that change. */
export function beforeOf(fields: JsonObject, counted: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, counted[field] ?? null]));
}

/** Given in place of a value: the configuration file's value counts. */
const AS_FILE = 'file';

/** Fields as an operator gives them: null and `file` give a field back to the file. Undefined: it is no map. */
export function readFields(given: unknown): JsonObject | undefined {
  if (!isJsonObject(given)) return undefined;
  return Object.fromEntries(Object.entries(given).map(([field, value]) => [field, value === AS_FILE ? null : value]));
}
