import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { type System, startSystem } from '../system/start-system';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Far less than the video has. */
const MAX_GROWTH_BYTES = 192 * MIB;

let [folder, video]: [string, string] = ['', ''];
let vendor: Server;
let system: System<'api' | 'video' | 'reconciler'>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediagate-video-'));
  video = await makeVideo(join(folder, 'video.mp4'));
  vendor = createServer((request, response) => void answer(request.url ?? '', response));
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  system = await startSystem({ services: ['api', 'video', 'reconciler'], config: configFor(vendorUrl()) });
});
afterAll(async () => {
  await system.stop();
  vendor.close();
  await rm(folder, { recursive: true });
});

/** Two seconds of video, and space behind them that holds nothing, also on the disk. */
async function makeVideo(path: string): Promise<string> {
  const images = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=24:duration=2', '-pix_fmt', 'yuv420p'];
  await promisify(execFile)(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', ...images, path]);
  const box = Buffer.from('\0\0\0\0free', 'latin1');
  box.writeUInt32BE(GIB - (await stat(path)).size);
  await appendFile(path, box);
  await truncate(path, GIB);
  return path;
}

function vendorUrl(): string {
  return `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
}

/** A vendor whose job has ended when it is first asked about. */
function answer(path: string, response: ServerResponse): void {
  if (path === '/video.mp4') {
    response.setHeader('content-length', GIB);
    createReadStream(video).pipe(response);
    return;
  }
  const ended = { task_status: 'SUCCEEDED', video_url: `${vendorUrl()}/video.mp4` };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ output: { task_id: 'video', ...(path.startsWith('/tasks/') && ended) } }));
}

function configFor(baseUrl: string): string {
  return `
channels:
  - id: videos
    protocol: dashscope-video
    options: { max_check_seconds: 1 }
    base_url: ${baseUrl}
    api_key: \${SIM_DASHSCOPE_KEY}
    models: { videoa-3.0-video: wan3.0-video }
media: { max_video_mb: 1024 }
`;
}

/** The most memory that a process has had so far. */
async function peakBytes(pid: number): Promise<number> {
  const [, kib = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

async function hashOf(chunks: AsyncIterable<Uint8Array> | null): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks ?? []) hash.update(chunk);
  return hash.digest('hex');
}

it('a video of a GiB comes from the vendor to its caller, in parts too, through processes that grow by a fraction of it', async () => {
  const { caller } = await system.account(1000n * 1_000_000_000n);
  const pids = [system.services.api.pid(), system.services.video.pid()];
  const before = await Promise.all(pids.map(peakBytes));

  const body = { model: 'videoa-3.0-video', resolution: '480P', duration: 2, prompt: 'a kite' };
  const taskId = await caller.submit(body, '/v1/videos/generations');
  const { status, result } = await caller.ended(taskId, 600_000);
  expect(status).toBe('completed');
  const [{ url: [link = ''] = [], cover_url: cover = '' } = {}] = result?.videos ?? [];
  expect(cover).not.toBe('');

  const whole = await fetch(link);
  expect(await hashOf(whole.body)).toBe(await hashOf(createReadStream(video)));
  const part = await fetch(link, { headers: { range: `bytes=4-${GIB - 2}` } });
  expect([part.status, part.headers.get('content-length')]).toEqual([206, String(GIB - 5)]);
  const end = { start: 4, end: GIB - 2 };
  expect(await hashOf(part.body)).toBe(await hashOf(createReadStream(video, end)));

  const after = await Promise.all(pids.map(peakBytes));
  const grown = after.map((bytes, index) => bytes - (before[index] ?? 0));
  expect(Math.max(...grown)).toBeLessThan(MAX_GROWTH_BYTES);
}, 900_000);
