import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { joinField } from './document';
import type { Faults } from './faults';
import { type Env, resolveSecret, secretProblem } from './references';
import type { Settings, UploadQuota } from './settings';

const MEGABYTE = 1_000_000;
const STORAGE_SECRETS = ['access_key_id', 'secret_access_key'] as const;

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
  };
  uploads: { per_account: QuotaValue; per_key: QuotaValue };
  storage: { driver: 'filesystem' } | S3Value;
}

interface QuotaValue {
  stored_mb: number;
  stored_files: number;
  daily_mb: number;
  daily_files: number;
}

interface S3Value {
  driver: 's3';
  endpoint: string;
  region: string;
  bucket: string;
  access_key_id: string;
  secret_access_key: string;
  force_path_style?: boolean;
}

/** Every process that opens the storage needs its credentials. */
export function checkStorage(storage: Json | undefined, env: Env, faults: Faults): void {
  if (!isJsonObject(storage) || storage['driver'] !== 's3') return;
  for (const name of STORAGE_SECRETS) {
    const problem = secretProblem(storage[name], env);
    if (problem !== undefined) faults.add(joinField('storage', name), problem);
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
    },
    uploads: { account: readQuota(uploads.per_account), key: readQuota(uploads.per_key) },
    storage: storage.driver === 's3' ? readS3(storage, env) : { driver: storage.driver },
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

function readS3({ driver, endpoint, region, bucket, ...rest }: S3Value, env: Env): Settings['storage'] {
  return {
    driver,
    endpoint,
    region,
    bucket,
    accessKeyId: resolveSecret(rest.access_key_id, env),
    secretAccessKey: resolveSecret(rest.secret_access_key, env),
    forcePathStyle: rest.force_path_style ?? false,
  };
}
