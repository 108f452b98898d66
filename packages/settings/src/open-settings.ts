import { type Catalogue, type CatalogueEntry, createCatalogue, loadCatalogue } from '@mediagate/catalog';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import {
  canServe,
  checkChannelOptions,
  checkTemplatesFit,
  ownProtocols,
  type Protocols,
  protocolOf,
  protocolWords,
  type TemplatedModel,
} from '@mediagate/upstreams';
import { loadPackages, takeLoaded } from './load-packages';
import {
  type LoadSettingsOptions,
  loadSettings,
  type OpenedChannel,
  openSource,
  openWebhooks,
  readSource,
  type WithPackages,
} from './load-settings';
import { oneOf } from './schema-parts';
import { type Channel, type DescribedModels, protocolsOf, type Settings } from './settings';
import { modelNames, settingsSchema } from './settings-schema';

/** Reviews what callers submit; a channel serves it like any model, but nobody can submit a task to it. */
export const MODERATION_MODEL = 'moderation-latest';

interface OpenOptions {
  keysOf?: ReadonlySet<string> | undefined;
}

interface PartOptions extends OpenOptions {
  /** Origins beside public ones to which channels set by operators may lead. */
  allowOrigins?: readonly string[];
  /** The configuration file of now, for a channel that is read without naming any; default: it brings nothing. */
  inFile?: (() => Brought | undefined) | undefined;
}

/** A file's additions to the catalogue and the protocols of this build. */
type Brought = Pick<Settings, 'models' | 'packages'>;

/** Secrets of the database by their names. */
export type StoredSecrets = (name: string) => string | undefined;

/** Every process starts from these: the configuration file, and the catalogue with the models that it describes. */
export interface OpenedSettings {
  settings: Settings;
  catalogue: Catalogue;
}

/**
 * Reads the configuration file and checks it against the catalogue and the protocols of this build and of the packages that it
 * names. Throws SettingsError with every fault found.
 */
export function openSettings(path: string, env: Env, options: OpenOptions = {}): OpenedSettings {
  return createSettingsReader(path, env, options)();
}

/**
 * As `openSettings`, for a process that reads the file again and again: its packages are loaded once, by the first read that finds
 * no fault. From then on a file that names others has a fault, and none of these is loaded.
 */
export function createSettingsReader(path: string, env: Env, options: OpenOptions = {}): () => OpenedSettings {
  const catalogue = loadCatalogue();
  let first: Settings | undefined;
  const withPackages = (names: readonly string[], folder: string): WithPackages => {
    const { packages, faults } = first === undefined ? loadPackages(names, folder) : takeLoaded(first, names);
    return { options: { ...ofProtocols(catalogue, protocolsOf({ packages })), packages }, faults };
  };
  return () => {
    const settings = loadSettings(path, { ...known(catalogue, env), ...options, withPackages });
    first ??= settings;
    return { settings, catalogue: withDescribed(catalogue, settings.models) };
  };
}

/** A channel that is in force no more, as it was, with the secrets of this process. Throws SettingsError. */
export function openChannel(
  source: JsonObject,
  env: Env,
  { packages, ofDatabase }: Pick<Settings, 'packages'> & { ofDatabase?: StoredSecrets | undefined },
): Channel {
  return readSource(source, { ...known(loadCatalogue(), env, protocolsOf({ packages })), ofDatabase });
}

/** Reads parts of the configuration file that are kept elsewhere, and checks them as it checks the file. */
export interface PartReader {
  /** @param file its models and packages count. */
  channel(source: JsonObject, ofDatabase?: StoredSecrets, file?: Brought): OpenedChannel;
  webhooks(fields: JsonObject): ReturnType<typeof openWebhooks>;
  /** The models that the file describes now, for a channel that is read without naming any. */
  models?(): DescribedModels | undefined;
  /** Origins that are allowed beside public ones. */
  allowOrigins: ReadonlySet<string>;
}

/** For a process that holds the keys of these protocols; default: of all. @throws TypeError for what is no origin. */
export function createPartReader(
  env: Env,
  { keysOf, allowOrigins = [], inFile = () => undefined }: PartOptions = {},
): PartReader {
  const catalogue = loadCatalogue();
  const options = { ...known(catalogue, env), keysOf };
  const namesWith = keepLast((file: Brought | undefined) =>
    ofProtocols(withDescribed(catalogue, file?.models), protocolsOf(file ?? {}), idsOf(file?.models)),
  );
  return {
    allowOrigins: new Set(allowOrigins.map((text) => new URL(text).origin)),
    channel: (source, ofDatabase, file = inFile()) =>
      openSource(source, { ...options, ...namesWith(file), ofDatabase }),
    webhooks: (fields) => openWebhooks(fields, options),
    models: () => inFile()?.models,
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
  const protocol = oneOf(new Set(ownProtocols().keys()), 'no such protocol');
  const ofBuild = { channels: { items: { properties: { protocol } } } };
  const allOf = [
    { if: { required: ['models'] }, else: { properties: ofCatalogue } },
    { if: { required: ['protocols'] }, else: { properties: ofBuild } },
  ];
  return { ...schema, $defs, allOf };
}

type Env = Readonly<Record<string, string | undefined>>;

function known(catalogue: Catalogue, env: Env, protocols = ownProtocols()): LoadSettingsOptions {
  return { env, ...ofProtocols(catalogue, protocols), findModel: (name) => catalogue.find(name) };
}

/** @param described models of these ids take their requests to vendors by templates alone. */
function ofProtocols(catalogue: Catalogue, protocols: Protocols, described: ReadonlySet<string> = new Set()) {
  return {
    protocols: new Set(protocols.keys()),
    ...namesOf(catalogue, { protocols, described }),
    withModels: (ids: readonly string[], models: DescribedModels) =>
      namesOf(withDescribed(catalogue, models), { protocols, described: new Set(ids) }),
    checkOptions: (protocol: string, options: JsonObject, names: string[]) =>
      checkChannelOptions(protocol, options, names, protocols),
    takesFiles: (protocol: string) => protocolOf(protocol, protocols)?.fileRoles !== undefined,
  };
}

function namesOf(
  catalogue: Catalogue,
  { protocols, described }: { protocols: Protocols; described: ReadonlySet<string> },
) {
  return {
    models: new Set([...catalogue.modelIds, ...described, MODERATION_MODEL]),
    protocolsFor: (model: string) =>
      protocolWords(protocols, ({ protocol, hasTemplates }) =>
        described.has(model)
          ? hasTemplates === true
          : canServe(protocol, catalogue.find(model)?.family ?? 'moderation', protocols),
      ),
    checkFit: (protocol: string, options: JsonObject, names: ReadonlyMap<string, string>) =>
      checkTemplatesFit(protocol, options, templatedModels(catalogue, { names, described }), protocols),
    billingKeys: catalogue.billingKeys,
  };
}

interface Mapped {
  /** The vendor's, by the ids of models. */
  names: ReadonlyMap<string, string>;
  described: ReadonlySet<string>;
}

function templatedModels(catalogue: Catalogue, { names, described }: Mapped): TemplatedModel[] {
  return [...names].flatMap(([id, name]): TemplatedModel[] => {
    const entry = catalogue.find(id);
    if (entry === undefined) return [];
    const { kind } = entry;
    if (described.has(id)) return [{ id, name, kind, described: surelyAsked(entry) }];
    // A model may have several operations, each an entry of its own.
    const operations = catalogue.entries.filter((each) => each.id === entry.id);
    return [{ id, name, kind, always: fieldsOfAll(operations.flatMap((each) => surelyAsked(each).requests)) }];
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

function idsOf(models: DescribedModels = []): Set<string> {
  return new Set(models.map(({ id }) => id));
}

function withDescribed(catalogue: Catalogue, models: DescribedModels = []): Catalogue {
  return models.length === 0 ? catalogue : createCatalogue([...catalogue.entries, ...models]);
}

/** Made anew only for another argument than the last. */
function keepLast<A, R>(make: (argument: A) => R): (argument: A) => R {
  let last: { argument: A; made: R } | undefined;
  return (argument) => {
    if (last === undefined || last.argument !== argument) last = { argument, made: make(argument) };
    return last.made;
  };
}
