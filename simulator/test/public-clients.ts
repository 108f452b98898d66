import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The requests and reads of public clients, for vendors without a client that installs: facts of their wire, written down from their
 * sources, which are named. Prompts, models and lengths are ours.
 */

/** `data.0.url`: fields by name, elements by number. */
type FieldPath = string;

export interface ClientStep {
  method: 'GET' | 'POST';
  /** From the vendor's host on; `{id}` stands for what an earlier step kept. */
  path: string;
  body?: Record<string, unknown>;
  /** A path that the vendor still serves, and nobody here uses. */
  older?: true;
  /** Asked again until the field says this. */
  until?: [FieldPath, string];
  keeps?: Record<string, FieldPath>;
  /** Must be there. */
  reads?: FieldPath[];
  equals?: Record<FieldPath, unknown>;
  /** Are followed. */
  links?: FieldPath[];
}

export interface PublicClient {
  /** Repository and file. */
  client: string;
  /** The day on which its source was read. */
  found: string;
  headers: Record<string, string>;
  steps: ClientStep[];
  /** Fields of a start, beside those sent, that its source names. */
  knows: FieldPath[];
}

export interface Witnesses {
  protocol: string;
  /** Where the simulator has the vendor's host. */
  mount: string;
  /** The simulator's. */
  key: string;
  /** Before the paths of starts, where the adapter says there what a client says nowhere. */
  prefix?: string;
  /** Fields of a start that the adapter sends and no client knows. */
  unproved: FieldPath[];
  clients: PublicClient[];
}

const FOLDER = join(__dirname, 'public-clients');

export function readWitnesses(): Witnesses[] {
  return readdirSync(FOLDER).map((file) => ({
    protocol: file.replace(/\.json$/, ''),
    ...JSON.parse(readFileSync(join(FOLDER, file), 'utf8')),
  }));
}

export function fieldAt(body: unknown, path: FieldPath): unknown {
  return path.split('.').reduce<unknown>((part, name) => {
    return typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined;
  }, body);
}

/** `{name}` in every text by what is known of it. */
export function filled<T>(part: T, known: Record<string, string>): T {
  const json = JSON.stringify(part).replace(/\{(\w+)\}/g, (mark, name: string) => known[name] ?? mark);
  return JSON.parse(json) as T;
}

/** Reads an answer as a client does: returns what the client keeps, throws where something it reads is not there. */
export function readAs(step: ClientStep, body: unknown): { kept: Record<string, string>; links: string[] } {
  const found = (path: FieldPath) => {
    const value = fieldAt(body, path);
    if (value === undefined || value === null || value === '') throw new Error(`nothing at ${path}`);
    return value;
  };
  for (const path of step.reads ?? []) found(path);
  for (const [path, wanted] of Object.entries(step.equals ?? {})) {
    if (fieldAt(body, path) !== wanted) throw new Error(`${path} is ${JSON.stringify(fieldAt(body, path))}`);
  }
  const kept = Object.entries(step.keeps ?? {}).map(([name, path]) => [name, String(found(path))]);
  return { kept: Object.fromEntries(kept), links: (step.links ?? []).map((path) => String(found(path))) };
}
