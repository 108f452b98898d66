import { type Cursor, fault, readFields } from './cursor';
import { readBoolean, readChoice, readSecret, readText } from './scalars';
import type { Settings } from './settings';

const S3_KEYS = [
  'driver',
  'endpoint',
  'region',
  'bucket',
  'access_key_id',
  'secret_access_key',
  'force_path_style',
] as const;

/** Where results and uploads are kept; on the local file system unless the file says otherwise. */
export function readStorage(cursor: Cursor): Settings['storage'] {
  const fields = readFields(cursor, S3_KEYS);
  const driver = readChoice(fields.driver, ['filesystem', 's3'], 'filesystem');
  if (driver === 's3') return readS3(fields);
  for (const key of S3_KEYS) {
    if (key !== 'driver' && fields[key].node) fault(fields[key], 'only goes with driver: s3');
  }
  return { driver };
}

function readS3(fields: Record<(typeof S3_KEYS)[number], Cursor>): Settings['storage'] {
  return {
    driver: 's3',
    endpoint: readEndpoint(fields.endpoint),
    region: readText(fields.region),
    bucket: readText(fields.bucket),
    accessKeyId: readSecret(fields.access_key_id),
    secretAccessKey: readSecret(fields.secret_access_key),
    forcePathStyle: readBoolean(fields.force_path_style, false),
  };
}

function readEndpoint(cursor: Cursor): string {
  const text = readText(cursor);
  if (text !== '' && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    fault(cursor, 'must be an http or https URL');
  }
  return text;
}
