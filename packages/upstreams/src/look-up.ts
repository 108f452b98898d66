import type http from 'node:http';
import { isIPv6, type LookupFunction } from 'node:net';

/** How the host of an origin is looked up for a connection; undefined: by the system. */
export type LookupFor = (origin: string) => LookupFunction | undefined;

/** Connections that the agent opens from now on look up their hosts so. */
export function lookingUp<Agent extends http.Agent>(
  agent: Agent,
  scheme: 'http' | 'https',
  lookupFor: LookupFor = () => undefined,
): Agent {
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (options, onCreated) => {
    const lookup = lookupFor(originOf(scheme, options));
    return open({ ...options, ...(lookup && { lookup }) }, onCreated);
  };
  return agent;
}

function originOf(scheme: string, { host, port }: http.ClientRequestArgs): string {
  const name = isIPv6(host ?? '') ? `[${host}]` : host;
  return new URL(`${scheme}://${name}:${port}`).origin;
}
