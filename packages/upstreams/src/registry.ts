import { modulesIn } from '@mediagate/contracts';
import type { CreateProtocol } from './protocol';

/** A protocol that can be made, and the place that it comes from. */
export interface Registered {
  create: CreateProtocol;
  /** The file that exports it. */
  origin: string;
  isOwn: boolean;
}

let registered: ReadonlyMap<string, Registered> | undefined;

/**
 * Every protocol by its word: the folders of this package, and what packages have added. Another map once one was added. Throws,
 * naming the file, where a folder does not export a protocol: a process never starts with half of them.
 */
export function registry(): ReadonlyMap<string, Registered> {
  registered ??= new Map([...modulesIn(__dirname, '*/adapter.ts')].map(([file, load]) => builtIn(file, load())));
  return registered;
}

/** Adds the protocol of another package. */
export function addProtocol(word: string, protocol: Omit<Registered, 'isOwn'>): void {
  registered = new Map([...registry(), [word, { ...protocol, isOwn: false }]]);
}

function builtIn(file: string, module: unknown): [string, Registered] {
  const { default: create } = module as { default?: CreateProtocol };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the adapter`);
  return [file.slice(0, file.indexOf('/')), { create, origin: file, isOwn: true }];
}
