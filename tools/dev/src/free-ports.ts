import { isPortFree } from '@mediagate/local-servers';

/**
 * @param ports by the variables that set them.
 * @throws Error naming every port that is in use, and its variable.
 */
export async function requireFreePorts(ports: Readonly<Record<string, number>>): Promise<void> {
  const tried = await Promise.all(
    Object.entries(ports).map(async ([variable, port]) => ({ variable, port, isFree: await isPortFree(port) })),
  );
  const busy = tried.filter(({ isFree }) => !isFree);
  if (busy.length === 0) return;
  const each = busy.map(({ variable, port }) => `port ${port} is in use: set ${variable} to a free one`);
  throw new Error(each.join('; '));
}
