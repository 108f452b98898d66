import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a protocol's fixtures that its judges look at. */
export interface Exchange {
  name: string;
  wire?: Sent[];
  replies: { body?: unknown }[];
}

export interface Sent {
  /** Absent: POST. */
  method?: string;
  path: string;
  headers: Record<string, string>;
  json?: unknown;
}

export const SOURCES = join(__dirname, '../../packages/upstreams/src');

export function readExchanges(protocol: string): Exchange[] {
  const folder = join(SOURCES, protocol, 'fixtures');
  return readdirSync(folder).map((file) => ({
    name: file.replace(/\.json$/, ''),
    ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
  }));
}

export function named(exchanges: Exchange[], name: string): Exchange {
  const found = exchanges.find((exchange) => exchange.name === name);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return found;
}
