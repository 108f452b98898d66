import { type Catalogue, type CatalogueEntry, createCatalogue, loadCatalogue } from '@mediagate/catalog';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import {
  canServe,
  checkChannelOptions,
  checkTemplatesFit,
  loadProtocol,
  ownProtocolWords,
  protocolOf,
  protocolWords,
  type TemplatedModel,
} from '@mediagate/upstreams';
import {
  type LoadSettingsOptions,
  loadSettings,
  type OpenedChannel,
  openSource,
  openWebhooks,
  readSource,
} from './load-settings';
import { oneOf } from './schema-parts';
import type { Channel, DescribedModels, Settings } from './settings';
import { modelNames, settingsSchema } from './settings-schema';

/** Reviews what callers submit; a channel serves it like any model, but nobody can submit a task to it. */
export const MODERATION_MODEL = 'moderation-latest';

interface OpenOptions {
  keysOf?: ReadonlySet<string> | undefined;
}

interface PartOptions extends OpenOptions {
  /** Origins beside public ones to which channels set by operators may lead. */
  allowOrigins?: readonly string[];
  /** The models that the configuration file describes now, for a channel that is read without naming any; default: none. */
  models?: (() => DescribedModels | undefined) | undefined;
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
  const settings = loadSettings(path, { ...known(catalogue, env), ...options });
  return { settings, catalogue: withDescribed(catalogue, settings.models) };
}

/** A channel that is in force no more, as it was, with the secrets of this process. Throws SettingsError. */
export function openChannel(source: JsonObject, env: Env, ofDatabase?: StoredSecrets): Channel {
  return readSource(source, { ...known(loadCatalogue(), env), ofDatabase });
}

/** Reads parts of the configuration file that are kept elsewhere, and checks them as it checks the file. */
export interface PartReader {
  /** @param models those that the file describes beside the catalogue's. */
  channel(source: JsonObject, ofDatabase?: StoredSecrets, models?: DescribedModels): OpenedChannel;
  webhooks(fields: JsonObject): ReturnType<typeof openWebhooks>;
  /** The models that the file describes now, for a channel that is read without naming any. */
  models?(): DescribedModels | undefined;
  /** Origins that are allowed beside public ones. */
  allowOrigins: ReadonlySet<string>;
}

/** For a process that holds the keys of these protocols; default: of all. @throws TypeError for what is no origin. */
export function createPartReader(
  env: Env,
  { keysOf, allowOrigins = [], models: ofFile = () => undefined }: PartOptions = {},
): PartReader {
  const catalogue = loadCatalogue();
  const options = { ...known(catalogue, env), keysOf };
  const namesWith = keepLast((models: DescribedModels) => namesOf(withDescribed(catalogue, models), idsOf(models)));
  return {
    allowOrigins: new Set(allowOrigins.map((text) => new URL(text).origin)),
    channel(source, ofDatabase, models = ofFile()) {
      const names = models === undefined || models.length === 0 ? {} : namesWith(models);
      // Packages are loaded with the file, which may be read after this reader was made.
      return openSource(source, { ...options, protocols: new Set(protocolWords()), ...names, ofDatabase });
    },
    webhooks: (fields) => openWebhooks(fields, options),
    models: ofFile,
  };
}

/**
 * The configuration file as a JSON Schema for editors, with the models, protocols and billing keys of this build. A file that
 * describes models or names packages may use what these bring, which no schema can tell.
 */
export function editorSchema(): JsonObject {
  const catalogue = loadCatalogue();
  const { models } = known(catalogue, {});
  const schema = settingsSchema({ protocols: undefined, models: undefined });
  const $defs = { ...(schema['$defs'] as JsonObject), billing_key: { enum: [...catalogue.billingKeys.keys()].sort() } };
  const keys = { propertyNames: { $ref: '#/$defs/billing_key' } };
  const channel = { models: { propertyNames: modelNames(models) }, costs: keys };
  const ofCatalogue = { prices: keys, channels: { items: { properties: channel } } };
  const protocol = oneOf(new Set(ownProtocolWords()), 'no such protocol');
  const ofBuild = { channels: { items: { properties: { protocol } } } };
  const allOf = [
    { if: { required: ['models'] }, else: { properties: ofCatalogue } },
    { if: { required: ['protocols'] }, else: { properties: ofBuild } },
  ];
  return { ...schema, $defs, allOf };
}

type Env = Readonly<Record<string, string | undefined>>;

function known(catalogue: Catalogue, env: Env): LoadSettingsOptions {
  return {
    env,
    protocols: new Set(protocolWords()),
    loadProtocol,
    ...namesOf(catalogue, new Set()),
    findModel: (name) => catalogue.find(name),
    withModels: (ids, models) => namesOf(withDescribed(catalogue, models), new Set(ids)),
    checkOptions: checkChannelOptions,
    takesFiles: (protocol) => protocolOf(protocol)?.fileRoles !== undefined,
  };
}

/** @param described those of these ids take their requests to vendors by templates alone. */
function namesOf(catalogue: Catalogue, described: ReadonlySet<string>) {
  return {
    models: new Set([...catalogue.modelIds, ...described, MODERATION_MODEL]),
    protocolsFor: (model: string) =>
      protocolWords(({ protocol, hasTemplates }) =>
        described.has(model)
          ? hasTemplates === true
          : canServe(protocol, catalogue.find(model)?.family ?? 'moderation'),
      ),
    checkFit: (protocol: string, options: JsonObject, names: ReadonlyMap<string, string>) =>
      checkTemplatesFit(protocol, options, templatedModels(catalogue, { names, described })),
    billingKeys: catalogue.billingKeys,
  };
}

interface Mapped {
  /** The vendor's, by the ids of models. */
  names: ReadonlyMap<string, string>;
  described: ReadonlySet<string>;
}

function templatedModels(catalogue: Catalogue, { names, described }: Mapped): TemplatedModel[] {
  return [...names].flatMap(([id, name]) => {
    const entry = catalogue.find(id);
    if (entry === undefined) return [];
    const asked = surelyAsked(entry);
    return [
      described.has(id)
        ? { id, name, kind: entry.kind, described: asked }
        : { id, name, kind: entry.kind, always: fieldsOfAll(asked.requests) },
    ];
  });
}

/** Its examples, and each with its required fields alone, where that is a body. */
function surelyAsked(entry: CatalogueEntry): NonNullable<TemplatedModel['described']> {
  const { properties, required } = entry.schema;
  const needed = Array.isArray(required) ? required.map(String) : [];
  const least = (body: JsonObject) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => needed.includes(name)));
  const bodies = entry.examples.flatMap((example) => [example, least(example)]);
  const requests = bodies.flatMap((body) => {
    const parsed = entry.parse(structuredClone(body) as JsonObject);
    return parsed.ok ? [entry.request(parsed.input, [])] : [];
  });
  return { fields: Object.keys(isJsonObject(properties) ? properties : {}), requests };
}

/** Fields that each of the requests has; an empty list is none. */
function fieldsOfAll(requests: readonly JsonObject[]): string[] {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const [first = {}, ...others] = requests;
  return Object.keys(first).filter((name) => [first, ...others].every((request) => isGiven(request[name])));
}

function idsOf(models: DescribedModels): Set<string> {
  return new Set(models.map(({ id }) => id));
}

function withDescribed(catalogue: Catalogue, models: DescribedModels = []): Catalogue {
  return models.length === 0 ? catalogue : createCatalogue([...catalogue.entries, ...models]);
}

/** Made anew only for another argument than the last. */
function keepLast<A, R>(make: (argument: A) => R): (argument: A) => R {
  let last: { argument: A; made: R } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, made: make(argument) };
    return last.made;
  };
}
