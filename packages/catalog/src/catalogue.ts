import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { CatalogueEntry } from './entry';

export interface Catalogue {
  /** Ordered by id. */
  entries: readonly CatalogueEntry[];
  /** By id or alias, in any letter case. */
  find(idOrAlias: string): CatalogueEntry | undefined;
  /** Unit names by billing key: what the operator's price list may override. */
  billingKeys: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface LoadCatalogueOptions {
  /** Where the model files are, at any depth. */
  directory?: string;
}

/**
 * Reads every model file of a folder; the folder is the registry. Throws, naming the file, when a file is not a model, is
 * not named after it, takes a name that another has, or does not compile: a process never starts on half a catalogue.
 */
export function loadCatalogue({ directory = join(__dirname, 'models') }: LoadCatalogueOptions = {}): Catalogue {
  const entries = modelFiles(directory)
    .map(loadModel)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const byName = indexByName(entries);
  return {
    entries,
    find: (idOrAlias) => byName.get(idOrAlias.toLowerCase()),
    billingKeys: new Map(entries.map((entry) => [entry.id, new Set(Object.keys(entry.defaultPrices))])),
  };
}

/** `.ts` where sources run, `.js` where the build does; declarations, maps and tests are not models. */
function modelFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.[jt]s$/.test(file.name) && !/\.(d|test)\.[jt]s$/.test(file.name))
    .map((file) => join(file.parentPath, file.name));
}

function loadModel(file: string): CatalogueEntry {
  const entry = requireEntry(file);
  const name = basename(file, extname(file));
  if (entry.id !== name) throw new Error(`${file}: the file must be named after its model, ${entry.id}`);
  return entry;
}

function requireEntry(file: string): CatalogueEntry {
  let loaded: { default?: CatalogueEntry };
  try {
    loaded = require(file) as { default?: CatalogueEntry };
  } catch (cause) {
    throw new Error(`${file}: the model cannot be loaded: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  if (typeof loaded.default?.parse !== 'function') throw new Error(`${file}: export default defineModel({ ... })`);
  return loaded.default;
}

function indexByName(entries: readonly CatalogueEntry[]): ReadonlyMap<string, CatalogueEntry> {
  const byName = new Map<string, CatalogueEntry>();
  for (const entry of entries) {
    for (const name of [entry.id, ...entry.aliases]) {
      const other = byName.get(name.toLowerCase());
      if (other) throw new Error(`Two models are called ${name}: ${other.id} and ${entry.id}`);
      byName.set(name.toLowerCase(), entry);
    }
  }
  return byName;
}
