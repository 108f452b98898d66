import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/testkit/servers';

/** A caller's own web server with images, clips and sounds, on loopback. */
export interface MediaHost {
  url(name: keyof typeof FILES): string;
  port: number;
  stop(): Promise<void>;
}

const VIDEO = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-movflags', '+faststart'];

/** Arguments by which ffmpeg makes each file. */
const FILES = {
  'first.jpg': ['-f', 'lavfi', '-i', 'testsrc2=s=640x360', '-frames:v', '1'],
  'last.jpg': ['-f', 'lavfi', '-i', 'smptebars=s=640x360', '-frames:v', '1'],
  'first.bmp': ['-f', 'lavfi', '-i', 'testsrc2=s=640x360', '-frames:v', '1'],
  'flat.jpg': ['-f', 'lavfi', '-i', 'testsrc2=s=640x200', '-frames:v', '1'],
  'clip.mp4': ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=4', ...VIDEO],
  'beat.mp3': ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4'],
  'note.txt': [],
} as const;

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  bmp: 'image/bmp',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  txt: 'text/plain',
};

export async function startMediaHost(): Promise<MediaHost> {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-media-host-'));
  const files = new Map(Object.entries(FILES).map(([name, args]) => [`/${name}`, make(join(folder, name), args)]));
  rmSync(folder, { recursive: true });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const bytes = files.get(path);
    if (bytes === undefined) return void response.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(to ? Number(to) + 1 : bytes.length, bytes.length);
    const type = { 'content-type': TYPES[path.split('.').at(-1) ?? ''], 'accept-ranges': 'bytes' };
    if (from === undefined) return void response.writeHead(200, { ...type, 'content-length': bytes.length }).end(bytes);
    const range = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}`, 'content-length': end - start };
    response.writeHead(206, { ...type, ...range }).end(bytes.subarray(start, end));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function make(file: string, args: readonly string[]): Buffer {
  if (args.length === 0) return Buffer.from('A short story about a lighthouse.\n');
  execFileSync(ffmpegProgram(), ['-v', 'error', ...args, file]);
  return readFileSync(file);
}
