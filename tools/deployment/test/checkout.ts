import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the checkout: what the image is built from. */
export const ROOT = join(__dirname, '../../..');

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const DRAIN_SECONDS = 25;

/** What the service itself would take to drain: as its profile says, if it has one. */
export function ownDrainSeconds(role: string): number {
  const profile = `services/${role}/src/profile.ts`;
  if (!existsSync(join(ROOT, profile))) return DRAIN_SECONDS;
  const [, text] = /drainSeconds: ([\d_]+)/.exec(readText(profile)) ?? [];
  if (text === undefined) throw new Error(`${profile} says no drainSeconds`);
  return Number(text.replaceAll('_', ''));
}
