import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the checkout: what the image is built from. */
export const ROOT = join(__dirname, '../../..');

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** `NAME: { type: …` as settings are declared for `loadConfig`. */
const DECLARATION = /^\s+([A-Z][A-Z0-9_]+): \{\s*type: '/gm;

const POOL_SIZE = /^\s+(?:API|DATABASE)_POOL_SIZE: \{ type: 'integer', default: (\d+)/m;

/** Connections to the database that a process of the service opens at most, where nothing is set; 0: it has none. */
export function poolSizeOf(role: string): number {
  const sizes = settingsFiles(role).flatMap((file) => POOL_SIZE.exec(readText(file))?.[1] ?? []);
  return Number(sizes[0] ?? 0);
}

/** Names of the variables that a service reads: its own, those of its runtime, and those of every service. */
export function declaredSettings(role: string): string[] {
  const files = settingsFiles(role);
  return [...files, ...files.flatMap(sharedFiles)]
    .flatMap((file) => [...readText(file).matchAll(DECLARATION)])
    .flatMap(([, name]) => name ?? []);
}

/** Where a service's settings may be declared. */
function settingsFiles(role: string): string[] {
  const isWorker = existsSync(join(ROOT, `services/${role}/src/profile.ts`));
  const folders = [`services/${role}`, 'packages/host', ...(isWorker ? ['packages/worker-runtime'] : [])];
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== SOME_HAVE_THEM)
      .map((file) => join(folder, 'src', file)),
  );
}

/** In packages/host: processes that listen for others spread these settings, as they do those of further packages. */
const SOME_HAVE_THEM = 'connection-settings.ts';

const SPREAD = /\.\.\.(\w+Settings),/g;

/** Where packages declare settings for several services: `vendorSecretSettings` in `vendor-secret-settings.ts`. */
function sharedFiles(file: string): string[] {
  const names = [...readText(file).matchAll(SPREAD)].flatMap(([, name]) => name ?? []);
  const files = names.map((name) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`);
  return files.flatMap((name) =>
    globSync(`packages/{callbacks,channels,database,host,media,queue}/src/${name}`, { cwd: ROOT }),
  );
}

const DRAIN_SECONDS = 25;

/** The time that the service itself takes at most to drain: as its profile says, if it has one. */
export function ownDrainSeconds(role: string): number {
  const profile = `services/${role}/src/profile.ts`;
  if (!existsSync(join(ROOT, profile))) return DRAIN_SECONDS;
  const [, text] = /drainSeconds: ([\d_]+)/.exec(readText(profile)) ?? [];
  if (text === undefined) throw new Error(`${profile} says no drainSeconds`);
  return Number(text.replaceAll('_', ''));
}
