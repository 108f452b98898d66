import { spawnSync } from 'node:child_process';
import { ffmpegProgram } from '@mediagate/local-servers';

/** Decodes every sample of a file with ffmpeg, which is nobody's part here. Throws when anything cannot be. */
export function watchAudio(bytes: Buffer): { seconds: number } {
  const args = [
    '-hide_banner',
    '-nostdin',
    '-v',
    'error',
    '-i',
    'pipe:0',
    '-f',
    's16le',
    '-ac',
    '1',
    '-ar',
    '8000',
    '-',
  ];
  const { status, stdout, stderr } = spawnSync(ffmpegProgram(), args, { input: bytes, maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`ffmpeg cannot play it: ${stderr.toString().slice(-500)}`);
  return { seconds: stdout.length / 2 / 8000 };
}
