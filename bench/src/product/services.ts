import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ffmpegProgram, freePort } from '@mediagate/testkit/servers';
import type { RunningService } from '../machine/processes';
import type { Stage } from '../stage';
import { type Books, PEPPER } from './books';

/** The model of every task here: answered at once, in one call, by `instruments/upstream.ts`. */
export const MODEL = 'imagegen-2.5-flare';
export const VIDEO_MODEL = 'videoa-3.0-video';
const LINK_SECRET = 'bench-link-secret';

export interface Surroundings {
  books: Books;
  /** Where the vendor is; absent where no worker runs. */
  upstreamUrl?: string;
  /** Ports that callbacks may go to, on this machine. */
  callbackPorts?: readonly number[];
  /** Jobs at once at the vendor, over all processes; absent: no limit. */
  maxConcurrency?: number;
  /** Written by somebody else; absent: it is made of the fields above. */
  configFile?: string;
}

/** The environment of a service of the product: what production sets, and nothing that makes it faster. */
function environmentOf(stage: Stage, around: Surroundings): Record<string, string> {
  return {
    DATABASE_URL: around.books.url,
    REDIS_URL: stage.servers.redisUrl(PRODUCT_REDIS),
    MEDIAGATE_CONFIG: around.configFile ?? writeConfig(stage, around),
    MEDIAGATE_HOME: join(stage.directory, 'home'),
    MEDIAGATE_LINK_SECRET: LINK_SECRET,
    MEDIAGATE_KEY_PEPPER: PEPPER,
    PUBLIC_BASE_URL: 'http://api.bench.test',
    BENCH_UPSTREAM_KEY: 'bench',
  };
}

/** The number of Redis's database that the product uses; references have others. */
export const PRODUCT_REDIS = 0;

export async function startApi(
  stage: Stage,
  books: Books,
  env: Record<string, string> = {},
): Promise<RunningService & { url: string }> {
  const port = await freePort();
  const service = await stage.startService('api', { ...environmentOf(stage, { books }), ...env, PORT: String(port) });
  return { ...service, url: `http://127.0.0.1:${port}` };
}

export function startSpeechWorker(stage: Stage, books: Books, configFile: string): Promise<RunningService> {
  return stage.startService('tts', { ...environmentOf(stage, { books }), MEDIAGATE_CONFIG: configFile });
}

export function startImageWorker(stage: Stage, around: Surroundings, concurrency: number): Promise<RunningService> {
  const env = { ...environmentOf(stage, around), WORKER_CONCURRENCY: String(concurrency) };
  return stage.startService('image', env);
}

export function startReconciler(stage: Stage, around: Surroundings): Promise<RunningService> {
  return stage.startService('reconciler', environmentOf(stage, around));
}

export function startDelivery(stage: Stage, around: Surroundings): Promise<RunningService> {
  return stage.startService('webhook-delivery', environmentOf(stage, around));
}

/** The vendors' stand-in, which holds tens of thousands of jobs and plays no part in what is measured. */
export async function startSimulator(stage: Stage): Promise<{ url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), FFMPEG_PATH: ffmpegProgram(), SIM_REQUESTS_PER_MINUTE: '999999999' };
  await stage.startService('simulator', env, `${url}/__sim/health`);
  return { url };
}

/** One video worker whose models the simulator serves; `fields` are more of its channel. */
export async function startVideoWorker(
  stage: Stage,
  { books, simulatorUrl, fields = {} }: { books: Books; simulatorUrl: string; fields?: object },
): Promise<{ service: RunningService; configFile: string }> {
  const path = join(stage.directory, 'video.yaml');
  const channel = {
    id: 'bench',
    protocol: 'dashscope-video',
    base_url: `${simulatorUrl}/dashscope/api/v1`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a configuration file has it.
    api_key: '${BENCH_UPSTREAM_KEY}',
    models: { [VIDEO_MODEL]: 'wan3.0-video' },
    ...fields,
  };
  writeFileSync(path, JSON.stringify({ channels: [channel] }));
  const service = await stage.startService('video', {
    ...environmentOf(stage, { books }),
    MEDIAGATE_CONFIG: path,
    BENCH_UPSTREAM_KEY: 'sim-dashscope-key',
    FFMPEG_PATH: ffmpegProgram(),
  });
  return { service, configFile: path };
}

/** Callbacks go to loopback as to an operator's own network: by range, so that every address is judged. */
function writeConfig(
  stage: Stage,
  { upstreamUrl = 'http://127.0.0.1:9', callbackPorts = [], maxConcurrency }: Surroundings,
): string {
  const path = join(stage.directory, 'config.yaml');
  writeFileSync(
    path,
    `channels:
  - id: bench
    protocol: openai-images
    base_url: ${upstreamUrl}/v1
    api_key: \${BENCH_UPSTREAM_KEY}
    models: { ${MODEL}: bench }${
      maxConcurrency === undefined
        ? ''
        : `
    max_concurrency: ${maxConcurrency}`
    }
webhooks:
  allow_private_cidrs: [127.0.0.0/8]
  allow_ports: [${[443, ...callbackPorts].join(', ')}]
`,
  );
  return path;
}
