import { basename, dirname } from 'node:path';
import { type LoadModule, modulesIn } from '@mediagate/contracts';
import type { CatalogueEntry } from './entry';

export interface Catalogue {
  /** One for each operation of each model, ordered by model and operation. */
  entries: readonly CatalogueEntry[];
  /** Ids of the models, in that order. */
  modelIds: readonly string[];
  /**
   * By id or alias, in any letter case. A model may be offered by several operations, each with a schema and prices of its
   * own; without `operation` it is the model's first, for those who only ask which model a name stands for.
   */
  find(idOrAlias: string, operation?: string): CatalogueEntry | undefined;
  /** Unit names by billing key: what the operator's price list may override. No units: a price of the whole task. */
  billingKeys: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Compiles one schema a step, which else happens when an input is parsed first: for a process that parses them.
   *
   * @throws Error naming the model, on a schema that Ajv's strict mode refuses.
   */
  compile(): Generator<CatalogueEntry, undefined>;
}

export interface LoadCatalogueOptions {
  /** Where the model files are, at any depth. */
  directory?: string;
}

/**
 * Reads every model file of a folder; the folder is the registry. A model of one operation is a file named after it; one of
 * several is a folder named after it, with a file named after each operation. Throws, naming the file, when a file is not a
 * model, is not named so, or takes a name that another has: a process never starts on half a catalogue.
 */
export function loadCatalogue({ directory }: LoadCatalogueOptions = {}): Catalogue {
  const files = directory === undefined ? modulesIn(__dirname, 'models/**/*.ts') : modulesIn(directory, '**/*.ts');
  return createCatalogue([...files].map(([file, load]) => loadModel(file, load)));
}

/** Always the catalogue of the moment: for whoever is given one, and keeps it. */
export function currentCatalogue(read: () => Catalogue): Catalogue {
  return {
    get entries() {
      return read().entries;
    },
    get modelIds() {
      return read().modelIds;
    },
    get billingKeys() {
      return read().billingKeys;
    },
    find: (idOrAlias, operation) => read().find(idOrAlias, operation),
    compile: () => read().compile(),
  };
}

/** @throws Error where one has a name that another has. */
export function createCatalogue(models: readonly CatalogueEntry[]): Catalogue {
  const entries = models.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const byName = indexByName(entries);
  return {
    entries,
    modelIds: [...new Set(entries.map(({ id }) => id))],
    find(idOrAlias, operation) {
      const offered = byName.get(idOrAlias.toLowerCase()) ?? [];
      return operation === undefined ? offered[0] : offered.find((entry) => entry.operation === operation);
    },
    billingKeys: new Map(entries.flatMap(billingKeysOf)),
    compile: () => compiled(entries),
  };
}

function* compiled(entries: readonly CatalogueEntry[]): Generator<CatalogueEntry, undefined> {
  for (const entry of entries) yield compileSchema(entry);
}

function compileSchema(entry: CatalogueEntry): CatalogueEntry {
  const { id, operation } = entry;
  try {
    entry.compile();
    return entry;
  } catch (cause) {
    throw new Error(`${id} ${operation}: the schema is refused: ${(cause as Error).message}`, { cause });
  }
}

function sortKey({ id, operation }: CatalogueEntry): string {
  return `${id}\n${operation}`;
}

function billingKeysOf({ id, billing, defaultPrices }: CatalogueEntry): [key: string, units: ReadonlySet<string>][] {
  if (billing) return billing.known.map((key) => [key, new Set()]);
  return [[id, new Set(Object.keys(defaultPrices))]];
}

function loadModel(file: string, load: LoadModule): CatalogueEntry {
  const entry = entryOf(file, load);
  const name = basename(file, '.ts');
  if (entry.id === name) return entry;
  const action = entry.operation.slice(entry.operation.lastIndexOf('.') + 1);
  if (entry.id === basename(dirname(file)) && action === name) return entry;
  throw new Error(`${file}: the file must be named after its model, ${entry.id}, or ${entry.id}/${action}`);
}

function entryOf(file: string, load: LoadModule): CatalogueEntry {
  let loaded: { default?: CatalogueEntry };
  try {
    loaded = load() as { default?: CatalogueEntry };
  } catch (cause) {
    throw new Error(`${file}: the model cannot be loaded: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  if (typeof loaded.default?.parse !== 'function') throw new Error(`${file}: export default defineModel({ ... })`);
  return loaded.default;
}

/** The operations that each name stands for: they are of one model, and each is there once. */
function indexByName(entries: readonly CatalogueEntry[]): ReadonlyMap<string, readonly CatalogueEntry[]> {
  const byName = new Map<string, CatalogueEntry[]>();
  for (const entry of entries) {
    for (const name of [entry.id, ...entry.aliases]) {
      const offered = byName.get(name.toLowerCase()) ?? [];
      const other = offered.find(({ id, operation }) => id !== entry.id || operation === entry.operation);
      if (other) throw new Error(`Two models are called ${name}: ${other.id} and ${entry.id}`);
      byName.set(name.toLowerCase(), [...offered, entry]);
    }
  }
  return byName;
}
