import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@mediagate/testkit';
import { makeBaseImage, packageVolumes } from './base-image';
import { type Buildah, openBuildah } from './buildah';
import { ROOT } from './checkout';

export interface BuiltImage {
  /** `/` of a container of the image. */
  root: string;
  settings: ImageSettings;
  /** The content of the image beside the base image, by folder. */
  parts: { path: string; bytes: number }[];
  remove(): void;
}

/** The image's own settings of how it is run. */
export interface ImageSettings {
  User: string;
  WorkingDir: string;
  Env: string[];
  Cmd: string[];
  Healthcheck: { Test: string[] };
  ExposedPorts: Record<string, object>;
}

/** Undefined, and said so, on a machine that cannot build images: not root, or without Debian's packages. */
export function findBuilders(): { buildah: string; mmdebstrap: string } | undefined {
  const [buildah, mmdebstrap] = process.getuid?.() === 0 ? [findProgram('buildah'), findProgram('mmdebstrap')] : [];
  if (buildah !== undefined && mmdebstrap !== undefined) return { buildah, mmdebstrap };
  process.stderr.write(
    'NOT RUN: building the image needs root, buildah and mmdebstrap. Its text is judged by compose.test.ts alone.\n',
  );
  return undefined;
}

/** Builds every stage of the Dockerfile. */
export function buildImage({ buildah, mmdebstrap }: { buildah: string; mmdebstrap: string }): BuiltImage {
  const opened = openBuildah(buildah);
  try {
    return buildIn(opened, makeBaseImage(opened, mmdebstrap));
  } catch (error) {
    opened.remove();
    throw error;
  }
}

function buildIn({ run, remove }: Buildah, base: string): BuiltImage {
  run(
    'bud',
    '--format',
    'docker',
    '--build-arg',
    `NODE_IMAGE=${base}`,
    ...packageVolumes(),
    '--tag',
    'mediagate',
    ROOT,
  );
  const [root = '', before = ''] = ['mediagate', base].map((name) => run('mount', run('from', name)));
  const { Docker } = JSON.parse(run('inspect', '--type', 'image', 'mediagate')) as {
    Docker: { config: ImageSettings };
  };
  return { root, settings: Docker.config, parts: partsOf(root, before), remove };
}

function partsOf(root: string, base: string): BuiltImage['parts'] {
  const app = readdirSync(join(root, 'app')).map((name) => ({
    path: `app/${name}`,
    bytes: bytesIn(join(root, 'app', name)),
  }));
  const inApp = app.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...app, { path: 'the system', bytes: bytesIn(root) - inApp - bytesIn(base) }];
}

function bytesIn(folder: string): number {
  return Number.parseInt(execFileSync('du', ['--summarize', '--block-size=1', folder], { encoding: 'utf8' }), 10);
}
