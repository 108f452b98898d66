import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { joinField } from './document';
import type { Faults } from './faults';
import { type Env, resolveSecret, secretProblem } from './references';
import type { Settings, UploadQuota } from './settings';
import { fieldsOf, type StorageSettings } from './storage-drivers';

const MEGABYTE = 1_000_000;

/** A file that has passed the schema, its defaults filled in. */
export interface SettingsValue {
  channels: JsonObject[];
  webhooks: {
    retry_delays_seconds: number[];
    timeout_seconds: number;
    allow_ports: number[];
    allow_private_cidrs: string[];
    allow_origins: string[];
  };
  media: {
    allow_private_cidrs: string[];
    allow_ports: number[];
    max_image_mb: number;
    download_timeout_seconds: number;
    max_video_mb: number;
  };
  uploads: { per_account: QuotaValue; per_key: QuotaValue };
  storage: JsonObject;
}

interface QuotaValue {
  stored_mb: number;
  stored_files: number;
  daily_mb: number;
  daily_files: number;
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
    webhooks: {
      retryDelaysSeconds: webhooks.retry_delays_seconds,
      timeoutSeconds: webhooks.timeout_seconds,
      allowPorts: webhooks.allow_ports,
      allowPrivateCidrs: webhooks.allow_private_cidrs,
      allowOrigins: webhooks.allow_origins,
    },
    media: {
      allowPrivateCidrs: media.allow_private_cidrs,
      allowPorts: media.allow_ports,
      maxImageMb: media.max_image_mb,
      downloadTimeoutSeconds: media.download_timeout_seconds,
      maxVideoMb: media.max_video_mb,
    },
    uploads: { account: readQuota(uploads.per_account), key: readQuota(uploads.per_key) },
    storage: readStorage(storage, env),
  };
}

function readQuota({ stored_mb, stored_files, daily_mb, daily_files }: QuotaValue): UploadQuota {
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
