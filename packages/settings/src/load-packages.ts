import { isDeepStrictEqual } from 'node:util';
import { loadProtocol, ownProtocols } from '@mediagate/upstreams';
import type { LoadedPackages, Settings } from './settings';
import type { FieldFault } from './settings-error';

interface Loaded {
  packages: LoadedPackages;
  faults: readonly FieldFault[];
}

/** Loads the packages of these names, as Node finds them from the folder. */
export function loadPackages(names: readonly string[], folder: string): Loaded {
  let protocols = ownProtocols();
  const faults: FieldFault[] = [];
  for (const [index, name] of names.entries()) {
    if (name === '') continue;
    const loaded = loadProtocol(name, folder, protocols);
    if ('fault' in loaded) faults.push({ field: `protocols[${index}]`, message: loaded.fault });
    else protocols = loaded.protocols;
  }
  return { packages: { names, protocols }, faults };
}

/** A process has made its adapters of the packages that it loaded, and can have no others. */
export function takeLoaded(
  { packages = { names: [], protocols: ownProtocols() } }: Settings,
  names: readonly string[],
): Loaded {
  const message = 'packages are loaded when a process starts: restart the services';
  const faults = isDeepStrictEqual(names, packages.names) ? [] : [{ field: 'protocols', message }];
  return { packages, faults };
}
