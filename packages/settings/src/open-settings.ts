import { type Catalogue, loadCatalogue } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import { checkChannelOptions, PROTOCOLS, protocolsServing } from '@mediagate/upstreams';
import { type LoadSettingsOptions, loadSettings, readSource } from './load-settings';
import type { Channel, Settings } from './settings';
import { settingsSchema } from './settings-schema';

/** Reviews what callers submit; a channel serves it like any model, but nobody can submit a task to it. */
export const MODERATION_MODEL = 'moderation-latest';

interface OpenOptions {
  keysOf?: ReadonlySet<string>;
}

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

/** A channel that is in the file no more, as it was, with the variables of this process. Throws SettingsError. */
export function openChannel(source: JsonObject, env: Env): Channel {
  return readSource(source, known(loadCatalogue(), env));
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
