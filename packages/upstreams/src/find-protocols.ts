import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Clients, CreateProtocol, Spoken } from './protocol';

/** `adapter.ts` where sources run, `adapter.js` where the build does. */
const ADAPTER_FILE = `adapter${extname(__filename)}`;

/**
 * Every protocol, each in the folder of its name: the folders are the registry. Throws, naming the file, where one does not
 * export a protocol of that name: a process never starts with half of them.
 */
export function findProtocols(): readonly CreateProtocol[] {
  return readdirSync(__dirname)
    .filter((name) => existsSync(join(__dirname, name, ADAPTER_FILE)))
    .sort()
    .map(load);
}

function load(folder: string): CreateProtocol {
  const file = join(__dirname, folder, ADAPTER_FILE);
  const { default: create } = require(file) as { default?: CreateProtocol };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the adapter`);
  return (clients: Clients) => named(create(clients), folder, file);
}

function named<P extends Spoken>(spoken: P, folder: string, file: string): P {
  if (spoken.protocol === folder) return spoken;
  throw new Error(`${file}: the folder must be named after its protocol, ${spoken.protocol}`);
}
