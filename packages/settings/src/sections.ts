import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { camelCased } from './camel-case';
import { joinField } from './document';
import type { Faults } from './faults';
import { type Env, resolveSecret, secretProblem } from './references';
import type { ValueOf } from './schema-parts';
import type { MEDIA, UPLOADS, WEBHOOKS } from './section-schemas';
import type { Settings, UploadQuota } from './settings';
import { fieldsOf, type StorageSettings } from './storage-drivers';

const MEGABYTE = 1_000_000;

/** A file that has passed the schema, its defaults filled in. */
export interface SettingsValue {
  channels: JsonObject[];
  webhooks: ValueOf<typeof WEBHOOKS>;
  media: ValueOf<typeof MEDIA>;
  uploads: ValueOf<typeof UPLOADS>;
  storage: JsonObject;
}

/** Every process that opens the storage needs its credentials. */
export function checkStorage(storage: Json | undefined, env: Env, faults: Faults): void {
  if (!isJsonObject(storage)) return;
  for (const { kind, key } of fieldsOf(String(storage['driver']))) {
    const problem = kind === 'secret' && storage[key] !== undefined ? secretProblem(storage[key], { env }) : undefined;
    if (problem !== undefined) faults.add(joinField('storage', key), problem);
  }
}

/** The sections of the file beside channels and prices. */
export function readSections(
  { webhooks, media, uploads, storage }: SettingsValue,
  env: Env,
): Pick<Settings, 'webhooks' | 'media' | 'uploads' | 'storage'> {
  return {
    webhooks: camelCased(webhooks),
    media: camelCased(media),
    uploads: { account: readQuota(uploads.per_account), key: readQuota(uploads.per_key) },
    storage: readStorage(storage, env),
  };
}

function readQuota({
  stored_mb,
  stored_files,
  daily_mb,
  daily_files,
}: SettingsValue['uploads']['per_key']): UploadQuota {
  return {
    storedBytes: stored_mb * MEGABYTE,
    storedFiles: stored_files,
    dayBytes: daily_mb * MEGABYTE,
    dayFiles: daily_files,
  };
}

function readStorage(storage: JsonObject, env: Env): StorageSettings {
  const driver = String(storage['driver']);
  const values = fieldsOf(driver).map(({ name, key, kind }) => {
    if (kind === 'flag') return [name, storage[key] ?? false];
    return [
      name,
      kind === 'secret' && storage[key] !== undefined ? resolveSecret(storage[key], { env }) : storage[key],
    ];
  });
  // The schema has judged which fields the driver has.
  return { driver, ...Object.fromEntries(values) } as StorageSettings;
}
