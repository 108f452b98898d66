import { type Catalogue, loadCatalogue } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import { checkChannelOptions, PROTOCOLS, protocolsServing } from '@mediagate/upstreams';
import {
  type LoadSettingsOptions,
  loadSettings,
  type OpenedChannel,
  openSource,
  openWebhooks,
  readSource,
} from './load-settings';
import type { Channel, Settings } from './settings';
import { settingsSchema } from './settings-schema';

/** Reviews what callers submit; a channel serves it like any model, but nobody can submit a task to it. */
export const MODERATION_MODEL = 'moderation-latest';

interface OpenOptions {
  keysOf?: ReadonlySet<string> | undefined;
}

/** Secrets of the database by their names. */
export type StoredSecrets = (name: string) => string | undefined;

/**
 * The configuration file, checked against the catalogue and the protocols of this build, and the catalogue itself: what
 * every process starts from. Throws SettingsError with every fault found.
 */
export function openSettings(
  path: string,
  env: Env,
  options: OpenOptions = {},
): { settings: Settings; catalogue: Catalogue } {
  const catalogue = loadCatalogue();
  return { settings: loadSettings(path, { ...known(catalogue, env), ...options }), catalogue };
}

/** A channel that is in force no more, as it was, with the secrets of this process. Throws SettingsError. */
export function openChannel(source: JsonObject, env: Env, ofDatabase?: StoredSecrets): Channel {
  return readSource(source, { ...known(loadCatalogue(), env), ofDatabase });
}

/** What reads parts of the file that stand elsewhere, by the checks of the file. */
export interface PartReader {
  channel(source: JsonObject, ofDatabase?: StoredSecrets): OpenedChannel;
  webhooks(fields: JsonObject): ReturnType<typeof openWebhooks>;
}

/** For a process that holds the keys of these protocols; default: of all. */
export function createPartReader(env: Env, { keysOf }: OpenOptions = {}): PartReader {
  const options = { ...known(loadCatalogue(), env), keysOf };
  return {
    channel: (source, ofDatabase) => openSource(source, { ...options, ofDatabase }),
    webhooks: (fields) => openWebhooks(fields, options),
  };
}

/** The configuration file as a JSON Schema for editors, with the models, protocols and billing keys of this build. */
export function editorSchema(): JsonObject {
  const catalogue = loadCatalogue();
  const schema = settingsSchema(known(catalogue, {}));
  const $defs = { ...(schema['$defs'] as JsonObject), billing_key: { enum: [...catalogue.billingKeys.keys()].sort() } };
  const priced = { ...schema, $defs };
  return ['properties.prices', 'properties.channels.items.properties.costs'].reduce(
    (whole, path) => withBillingKeys(whole, path.split('.')),
    priced as JsonObject,
  );
}

/** The schema with the names that the section at the path may have. */
function withBillingKeys(schema: JsonObject, [name, ...rest]: string[]): JsonObject {
  if (name === undefined) return { ...schema, propertyNames: { $ref: '#/$defs/billing_key' } };
  return { ...schema, [name]: withBillingKeys(schema[name] as JsonObject, rest) };
}

type Env = Readonly<Record<string, string | undefined>>;

function known(catalogue: Catalogue, env: Env): LoadSettingsOptions {
  return {
    env,
    protocols: PROTOCOLS,
    models: new Set([...catalogue.modelIds, MODERATION_MODEL]),
    protocolsFor: (model) => protocolsServing(catalogue.find(model)?.family ?? 'moderation'),
    billingKeys: catalogue.billingKeys,
    checkOptions: checkChannelOptions,
  };
}
