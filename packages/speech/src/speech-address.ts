import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Where an API process listens for workers that bring speech. */
export interface SpeechAddress {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Host at which workers reach it. Absent: `host`, or this machine's first address if `host` is any address. */
  advertise?: string | undefined;
}

/** @throws Error if `listen` is not of the form `0.0.0.0:8090` or `[::]:8090`. */
export function readSpeechAddress(listen: string, advertise?: string): SpeechAddress {
  const [, inBrackets, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(listen) ?? [];
  const host = inBrackets ?? plain;
  if (host === undefined || Number(port) > 65_535) throw new Error('SPEECH_LISTEN is not host:port');
  return { host, port: Number(port), advertise };
}

/** @param port that it listens on. */
export function urlOf({ host, advertise }: SpeechAddress, port: number): string {
  const reached = advertise ?? (isAny(host) ? ownAddress() : host);
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal }) => !internal)?.address ?? '127.0.0.1';
}
