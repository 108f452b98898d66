import { freePort, isPortFree } from '@mediagate/testkit/servers';
import type { Home } from './home';

const FILE = 'ports.json';

/**
 * A port for each part, the same at every start as long as it is free: what was stored with an address in it (a job in
 * flight at the simulator) still finds its way after a restart.
 */
export function createPorts(home: Home): (part: string) => Promise<number> {
  const ports = home.read<Record<string, number>>(FILE) ?? {};
  return async (part) => {
    const kept = ports[part];
    if (kept !== undefined && (await isPortFree(kept))) return kept;
    const port = await freePort();
    ports[part] = port;
    home.write(FILE, ports);
    return port;
  };
}
