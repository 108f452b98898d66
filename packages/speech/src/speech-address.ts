import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses that no URL leads to without the name of an interface, and those that a machine gives itself. */
const LINK_LOCAL = /^(?:fe[89ab][\da-f]:|169\.254\.)/i;

/** Where an API process listens for workers that bring speech. */
export interface SpeechAddress {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Host at which workers reach it. Absent: `host`. */
  advertise?: string | undefined;
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * The host to advertise is `advertise`; without it `host`, or the machine's first fitting address where `host` is any address.
 *
 * @throws Error if `listen` is not of the form `0.0.0.0:8090` or `[::]:8090`, or no URL can lead to the host to advertise.
 */
export function readSpeechAddress(
  listen: string,
  advertise?: string,
  interfaces: Interfaces = networkInterfaces(),
): SpeechAddress {
  const [, inBrackets, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(listen) ?? [];
  const host = inBrackets ?? plain;
  if (host === undefined || Number(port) > 65_535) throw new Error('SPEECH_LISTEN is not host:port');
  const address = { host, port: Number(port), advertise: advertise ?? reachedAt(host, interfaces) };
  if (!isHost(address.advertise)) {
    throw new Error('SPEECH_ADVERTISE is not a host alone, as 10.0.0.5, fd00::5 or api.internal');
  }
  return address;
}

/** @param port that it listens on. */
export function urlOf({ host, advertise = host }: SpeechAddress, port: number): string {
  return `http://${inUrl(advertise)}:${port}`;
}

function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** The host as URLs write it: `[::]` for `::0`. */
function hostnameOf(host: string): string | undefined {
  const url = `http://${inUrl(host)}:9`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function isHost(text: string): boolean {
  const hostname = hostnameOf(text);
  return hostname !== undefined && (isIPv6(text) || hostname === text.toLowerCase());
}

/** @throws Error if the machine has no address that others reach. */
function reachedAt(host: string, interfaces: Interfaces): string {
  const any = hostnameOf(host);
  if (any !== '0.0.0.0' && any !== '[::]') return host;
  const addresses = Object.values(interfaces).flatMap((each) => each ?? []);
  const own = addresses
    .filter(({ internal, family }) => !internal && (any === '[::]' || family === 'IPv4'))
    .find(({ address }) => any === '0.0.0.0' || !LINK_LOCAL.test(address));
  if (own) return own.address;
  throw new Error(`SPEECH_LISTEN is ${host}, and the machine has no address of that kind: set SPEECH_ADVERTISE`);
}
