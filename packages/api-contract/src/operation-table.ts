import type { CatalogueEntry } from '@mediagate/catalog';
import type { KeyOperation, OpenOperation, Operation, OperatorOperation } from './operation';
import { OPERATOR_OPERATIONS } from './operations/admin/all';
import { BALANCE_OPERATIONS } from './operations/balance';
import { ESTIMATE_OPERATIONS } from './operations/estimates';
import { FILE_OPERATIONS } from './operations/files';
import { GENERATION_OPERATIONS } from './operations/generations';
import { KEY_OPERATIONS } from './operations/keys';
import { LEGACY_OPERATIONS, LEGACY_PREFIX } from './operations/legacy';
import { MODEL_OPERATIONS } from './operations/models';
import { NOTICE_OPERATIONS } from './operations/notices';
import { OPENAI_OPERATIONS } from './operations/openai';
import { PROVENANCE_OPERATIONS } from './operations/provenance';
import { REFERENCE_OPERATIONS } from './operations/reference';
import { SPEECH_OPERATIONS } from './operations/speech';
import { TASK_OPERATIONS } from './operations/tasks';
import { TEXT_OPERATIONS } from './operations/text';
import { VENDOR_CALLBACK_OPERATIONS } from './operations/vendor-callbacks';
import { WEBHOOK_OPERATIONS } from './operations/webhooks';

/** Every entry, by id. Paths are tried in this order: those that are asked most often stand first. */
const OPERATIONS = {
  ...TASK_OPERATIONS,
  ...TEXT_OPERATIONS,
  ...SPEECH_OPERATIONS,
  ...GENERATION_OPERATIONS,
  ...OPENAI_OPERATIONS,
  ...LEGACY_OPERATIONS,
  ...ESTIMATE_OPERATIONS,
  ...FILE_OPERATIONS,
  ...PROVENANCE_OPERATIONS,
  ...BALANCE_OPERATIONS,
  ...KEY_OPERATIONS,
  ...VENDOR_CALLBACK_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...NOTICE_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...REFERENCE_OPERATIONS,
  ...OPERATOR_OPERATIONS,
};

/** The id of an operation, to which its handler is bound. */
export type OperationId = keyof typeof OPERATIONS;

type IdsThatAsk<Auth extends Operation['auth']> = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends { auth: Auth } ? Id : never;
}[OperationId];

/** Ids of the operations that ask for an API key. */
export type KeyOperationId = IdsThatAsk<'key'>;

/** Ids of the operations that anybody may ask for. */
export type OpenOperationId = IdsThatAsk<'none'>;

/** Ids of the operations that ask for an operator's token. */
export type OperatorOperationId = IdsThatAsk<'operator'>;

/** An operation with the entry that it is made of, and so its handler. */
type TableEntry =
  | (KeyOperation & { entry: KeyOperationId })
  | (OpenOperation & { entry: OpenOperationId })
  | (OperatorOperation & { entry: OperatorOperationId });

/** An operation on one path of its own. */
export type ServedOperation = TableEntry & {
  id: string;
  /** The catalogue's operation of its tasks, as `images.generations`; empty: it makes no tasks, or the body says which. */
  operation: string;
  /** The model that the path belongs to, where each model has paths of its own (`routesOf`). */
  model?: string;
};

interface TableOptions {
  /** First word of the paths of the image tool's older interface. */
  legacyPrefix: string;
}

/** All operations with the paths that this deployment gives them: those of the catalogue's operations each by itself. */
export function listOperations(entries: readonly CatalogueEntry[], { legacyPrefix }: TableOptions): ServedOperation[] {
  const prefix = checkLegacyPrefix(legacyPrefix);
  return TABLE.flatMap((operation) => {
    const { entry, routesOf, path, body } = operation;
    if (routesOf === undefined) {
      const models = body && 'models' in body ? body.models : '';
      return [{ ...operation, id: entry, path: path.replace(LEGACY_PREFIX, prefix), operation: models }];
    }
    const models = entries.filter(({ family }) => family === routesOf);
    return models.flatMap((model) => routesOfModel(operation, model));
  });
}

/** Where tasks of a model are submitted; undefined: by no route of its own. */
export function submissionPath({ route, operation }: Pick<CatalogueEntry, 'route' | 'operation'>): string | undefined {
  const own = TABLE.find(
    ({ body, routesOf }) => routesOf === undefined && body && 'models' in body && body.models === operation,
  );
  return route?.paths[0] ?? own?.path;
}

// The compiler forgets, of an entry taken by its id, which ids ask for a key.
const TABLE = Object.entries<Operation>(OPERATIONS).map(
  ([entry, operation]) => ({ ...operation, entry }) as TableEntry,
);

const PREFIX = /^[a-z0-9][a-z0-9-]{0,31}$/i;

/** Throws when no path can begin with it, or others do. */
function checkLegacyPrefix(prefix: string): string {
  const paths = Object.values(OPERATIONS).map(({ path }) => path);
  const taken = new Set(paths.map((path) => path.split('/')[1] ?? '').filter((word) => word !== LEGACY_PREFIX));
  if (PREFIX.test(prefix) && !taken.has(prefix.toLowerCase())) return prefix;
  const words = [...taken].join(', ');
  throw new Error(`IMGTOOL_LEGACY_PREFIX must be up to 32 letters, digits and hyphens, and none of ${words}`);
}

function routesOfModel(
  operation: TableEntry,
  { id: model, route, operation: name }: CatalogueEntry,
): ServedOperation[] {
  if (!route) return [];
  return route.paths.map((path) => ({
    ...operation,
    id: idOf(operation, path),
    path,
    operation: name,
    model,
    summary: route.summary,
    body: { models: name },
  }));
}

/** A path that does not stand under its operation's goes by its last part: `createMusicSoundEffects`. */
function idOf({ entry, path: parent }: TableEntry, path: string): string {
  const from = path.startsWith(parent) ? parent.length : path.lastIndexOf('/');
  return `${entry}${inCapitals(path.slice(from))}`;
}

/** `/aligned-lyrics` as `AlignedLyrics`. */
function inCapitals(path: string): string {
  return path.replace(/[/-](\w)/g, (_all, letter: string) => letter.toUpperCase());
}
