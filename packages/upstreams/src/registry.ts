import { modulesIn } from '@mediagate/contracts';
import type { Adapter } from './contract';
import { kit } from './kit';
import type { Clients, CreateProtocol, ProtocolDescription } from './protocol';

/** A protocol that can be made, and the place that it comes from. */
export interface Registered {
  create: CreateProtocol;
  /** The file that exports it. */
  origin: string;
  isOwn: boolean;
  /** Its description of itself; this one sends nothing. */
  description: ProtocolDescription;
}

/** Protocols by their words. */
export type Protocols = ReadonlyMap<string, Registered>;

let own: Protocols | undefined;

/**
 * The protocols of this package, from its folders. Throws, naming the file, where a folder does not export one: a process never starts
 * with half of them.
 */
export function ownProtocols(): Protocols {
  own ??= new Map([...modulesIn(__dirname, '*/adapter.ts')].map(([file, load]) => builtIn(file, load())));
  return own;
}

function builtIn(file: string, module: unknown): [string, Registered] {
  const { default: create } = module as { default?: CreateProtocol };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the adapter`);
  const word = file.slice(0, file.indexOf('/'));
  const protocol = { create, origin: file, isOwn: true };
  return [word, { ...protocol, description: makeProtocol(word, protocol, NO_CLIENTS) }];
}

/** @throws Error where the protocol is not of the word that it is registered by. */
export function makeProtocol(
  word: string,
  { create, origin, isOwn }: Omit<Registered, 'description'>,
  clients: Clients,
): Adapter | ProtocolDescription {
  const made = create({ ...clients, kit });
  if (made.protocol === word) return made;
  const rule = isOwn ? 'the folder must be named after its protocol,' : `was loaded as ${word}, and now calls itself`;
  throw new Error(`${origin}: ${rule} ${made.protocol}`);
}

/** A description has no use for connections. */
export const NO_CLIENTS: Clients = {
  http: { send: sendNothing, stream: sendNothing, close: async () => undefined },
};

async function sendNothing(): Promise<never> {
  throw new Error('a description sends nothing');
}
