import type { JsonObject } from '@mediagate/contracts';
import { map, secret } from './schema-parts';

/**
 * The drivers of section `storage` and the settings of each. The file has a setting's name in snake case. `flag`s are false where
 * they are absent; what goes `with` another setting is there with it or not at all; everything else is required. A `secret` is a reference to an
 * environment variable.
 */
const DRIVERS = {
  filesystem: {},
  s3: {
    endpoint: { kind: 'url' },
    region: { kind: 'text' },
    bucket: { kind: 'text' },
    accessKeyId: {
      kind: 'secret',
      with: 'secretAccessKey',
      description: "The id of the key; without one the process's own identity counts, as its cloud gives it.",
    },
    secretAccessKey: { kind: 'secret', with: 'accessKeyId', description: 'The secret of the key.' },
    forcePathStyle: { kind: 'flag', description: 'Puts the bucket into the path of its URLs.' },
    redirectDownloads: { kind: 'flag', description: 'Has callers read files from the bucket itself, by short links.' },
    readFolder: {
      kind: 'flag',
      description: 'Also reads files from the folder that `driver: filesystem` kept them in, while they are moved.',
    },
  },
} as const satisfies Record<string, Record<string, StorageField>>;

const DEFAULT_DRIVER = 'filesystem' satisfies Driver;

type Driver = keyof typeof DRIVERS;

interface StorageField {
  kind: 'text' | 'url' | 'secret' | 'flag';
  /** The setting without which this one may be absent. */
  with?: string;
  description?: string;
}

type ValueOf<Field extends StorageField> = Field['kind'] extends 'flag' ? boolean : string | Absent<Field>;

type Absent<Field extends StorageField> = 'with' extends keyof Field ? undefined : never;

/** Where results and uploads are kept: a driver and its settings. */
export type StorageSettings = {
  [D in Driver]: { driver: D } & {
    -readonly [Name in keyof (typeof DRIVERS)[D]]: ValueOf<Extract<(typeof DRIVERS)[D][Name], StorageField>>;
  };
}[Driver];

export interface NamedField extends StorageField {
  /** As the settings have it. */
  name: string;
  /** As the file has it. */
  key: string;
}

export function fieldsOf(driver: string): NamedField[] {
  const fields: Record<string, StorageField> = DRIVERS[driver as Driver] ?? {};
  return Object.entries(fields).map(([name, field]) => ({ ...field, name, key: snakeCase(name) }));
}

/** As the file has them. */
export function storageSecrets(): string[] {
  const secrets = driverNames()
    .flatMap(fieldsOf)
    .filter(({ kind }) => kind === 'secret');
  return [...new Set(secrets.map(({ key }) => key))];
}

export function storageSchema(): JsonObject {
  const fields = driverNames().flatMap(fieldsOf);
  return {
    ...map('Where results and uploads are kept.', {
      driver: { enum: driverNames(), default: DEFAULT_DRIVER },
      ...Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
    }),
    allOf: [...driverNames().map(ruleOf), ...fields.flatMap(pairRule)],
  };
}

/** A driver has all its own fields but flags, and none of another's. */
function ruleOf(driver: string): JsonObject {
  const own = fieldsOf(driver);
  const others = driverNames().filter((name) => name !== driver);
  const foreign = others.flatMap(fieldsOf).filter(({ key }) => own.every((field) => field.key !== key));
  return {
    if: { properties: { driver: { const: driver } }, ...(driver !== DEFAULT_DRIVER && { required: ['driver'] }) },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      required: own.filter((field) => field.kind !== 'flag' && field.with === undefined).map(({ key }) => key),
      properties: Object.fromEntries(foreign.map(({ key }) => [key, onlyWith(key)])),
    },
  };
}

function pairRule({ key, with: other }: NamedField): JsonObject[] {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return other === undefined ? [] : [{ if: { required: [key] }, then: { required: [snakeCase(other)] } }];
}

function onlyWith(key: string): JsonObject {
  const owners = driverNames().filter((driver) => fieldsOf(driver).some((field) => field.key === key));
  return { not: {}, errorMessage: `only goes with driver: ${owners.join(' or ')}` };
}

function fieldSchema({ kind, description = '' }: StorageField): JsonObject {
  const described = description && { description };
  switch (kind) {
    case 'text':
      return { type: 'string', ...described };
    case 'url':
      return { type: 'string', ...described, format: 'http-url', errorMessage: 'must be an http or https URL' };
    case 'secret':
      return secret(description);
    case 'flag':
      return { type: 'boolean', ...described };
  }
}

function driverNames(): string[] {
  return Object.keys(DRIVERS);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
