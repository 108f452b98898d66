import { isPortFree } from '@mediagate/testkit/servers';

/**
 * @param ports by the variables that set them.
 * @throws Error naming every port that is in use, or that two variables have, and these variables.
 */
export async function requireFreePorts(ports: Readonly<Record<string, number>>): Promise<void> {
  requireDistinct(ports);
  const tried = await Promise.all(
    Object.entries(ports).map(async ([variable, port]) => ({ variable, port, isFree: await isPortFree(port) })),
  );
  const busy = tried.filter(({ isFree }) => !isFree);
  if (busy.length === 0) return;
  const each = busy.map(({ variable, port }) => `port ${port} is in use: set ${variable} to a free one`);
  throw new Error(each.join('; '));
}

function requireDistinct(ports: Readonly<Record<string, number>>): void {
  const variablesOf = new Map<number, string[]>();
  for (const [variable, port] of Object.entries(ports))
    variablesOf.set(port, [...(variablesOf.get(port) ?? []), variable]);
  const faults = [...variablesOf]
    .filter(([, variables]) => variables.length > 1)
    .map(([port, variables]) => `${variables.join(' and ')} are both ${port}: give each a port of its own`);
  if (faults.length > 0) throw new Error(faults.join('; '));
}
