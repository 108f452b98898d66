import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/testkit/servers';

/** One channel of silence. */
export function wavOf(seconds: number, sampleRate = 8000): Buffer {
  const data = Buffer.alloc(seconds * sampleRate, 0x80);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // PCM, one channel, eight bits.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** A video of 320 x 240 without sound. */
export function webmOf(seconds: number): Buffer {
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=320x240:rate=12:duration=${seconds}`];
  const { stdout, stderr } = spawnSync(ffmpegProgram(), [...input, '-c:v', 'libvpx', '-f', 'webm', 'pipe:1']);
  if (stdout.length === 0) throw new Error(`no video was made: ${stderr}`);
  return stdout;
}

/** A file that a program made; of one page. */
export function printedPdf(): Buffer {
  return readFileSync(join(__dirname, '../../../packages/media/test/pdf/print.pdf'));
}
