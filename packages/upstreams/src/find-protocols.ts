import { type LoadModule, modulesIn } from '@mediagate/contracts';
import type { Clients, CreateProtocol, Spoken } from './protocol';

/**
 * Every protocol, each in the folder of its name: the folders are the registry. Throws, naming the file, where one does not
 * export a protocol of that name: a process never starts with half of them.
 */
export function findProtocols(): readonly CreateProtocol[] {
  return [...modulesIn(__dirname, '*/adapter.ts')].map(([file, load]) => createProtocol(file, load));
}

function createProtocol(file: string, load: LoadModule): CreateProtocol {
  const { default: create } = load() as { default?: CreateProtocol };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the adapter`);
  return (clients: Clients) => named(create(clients), file);
}

function named<P extends Spoken>(spoken: P, file: string): P {
  if (file === `${spoken.protocol}/adapter.ts`) return spoken;
  throw new Error(`${file}: the folder must be named after its protocol, ${spoken.protocol}`);
}
