import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAMILY_TRAITS, WORKER_FAMILIES } from '@mediagate/contracts';
import { PROBE_POOL } from '@mediagate/media';
import { parse } from 'yaml';

const MIB = 1024 * 1024;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1024 * MIB, m: MIB, g: 1024 * MIB };
/** A process itself holds so much at its highest. Both were measured: docs/adr/0013, docs/attacks.md. */
const API_MIB = 404;
const WORKER_MIB = 250;
/** The limit of the API's one run: a file that goes to it must not end the process of the requests. */
const API_FFMPEG_MIB = 512;
/** Two runs of ffmpeg, of which one encodes video of 3840x2160 (docs/adr/0043); the image tool makes covers alone, and sound takes a tenth. */
const FFMPEG_MIB: Readonly<Record<string, number>> = {
  api: API_FFMPEG_MIB,
  video: 280 + 150,
  imgtool: 2 * 150,
  music: 2 * 30,
};

function bytesOf(limit: string): number {
  const [, amount = '', unit = ''] = /^(\d+)(\w+)$/.exec(limit) ?? [];
  return Number(amount) * (UNITS[unit] ?? Number.NaN);
}

function read(file: string) {
  return parse(readFileSync(join(__dirname, '../..', file), 'utf8'), { merge: true });
}

const limits = {
  'the chart': (role: string) => read('deploy/helm/mediagate/values.yaml').roles[role].resources.limits.memory,
  Compose: (role: string) => read('docker-compose.yml').services[role].deploy.resources.limits.memory,
};

describe.each(Object.entries(limits))('a container of %s', (_source, limitOf) => {
  it.each(['api', ...WORKER_FAMILIES])('of %s has room for its process and all that the process starts', (role) => {
    const needsFfmpeg = WORKER_FAMILIES.some((family) => family === role && FAMILY_TRAITS[family].needsFfmpeg);
    const hasFfmpeg = role === 'api' || needsFfmpeg;
    const ownMib = (role === 'api' ? API_MIB : WORKER_MIB) + (hasFfmpeg ? (FFMPEG_MIB[role] ?? Number.NaN) : 0);
    const probes = PROBE_POOL.processes * PROBE_POOL.processBytes;
    expect(bytesOf(limitOf(role))).toBeGreaterThanOrEqual(ownMib * MIB + probes);
  });
});
