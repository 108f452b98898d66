import { spawn } from 'node:child_process';
import { SAMPLE_RATE } from './readers';

export type PlainFormat = 'mp3' | 'wav' | 'opus' | 'aac' | 'flac' | 'pcm';
/** A plain one is of 24 kHz; a shaped one says its rate in hertz and, where it is compressed, its kilobits a second: `mp3_44100_128`. */
export type SpeechFormat = PlainFormat | `${'mp3' | 'opus'}_${number}_${number}` | `pcm_${number}`;

/** The outgoing sound is mono. A run of ffmpeg that turns samples into it while they come. */
export interface Encoding {
  write(samples: Uint8Array): void;
  /** No more samples will come; resolves when all of the sound is out. Throws when ffmpeg failed. */
  finish(): Promise<void>;
  /** Kills ffmpeg if it still runs, and resolves when it is gone. */
  stop(): Promise<void>;
}

interface EncodingOptions {
  ffmpegPath: string;
  format: SpeechFormat;
  /** How much quicker than the samples, 0.5 to 2. */
  tempo: number;
  onBytes(bytes: Buffer): void;
}

const formats: Record<PlainFormat, string[]> = {
  // The frame with the length goes before the sound and could only be filled in afterwards.
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
  opus: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'],
  aac: ['-c:a', 'aac', '-b:a', '64k', '-f', 'adts'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  pcm: ['-c:a', 'pcm_s16le', '-f', 's16le'],
};

function encodingOf(format: SpeechFormat): string[] {
  const [codec, hertz, kilobits] = format.split('_');
  const encoding = formats[codec as PlainFormat];
  const rate = hertz === undefined ? [] : ['-ar', hertz];
  const thickness = kilobits === undefined ? [] : ['-b:a', `${kilobits}k`];
  // The last of two arguments of one name counts.
  return [...encoding.slice(0, -2), ...rate, ...thickness, ...encoding.slice(-2)];
}

const OUTPUT_RATE = 24_000;
/** A tenth of a second, so that a text without a sound is still a file that decodes. */
const LEAST_SAMPLES = OUTPUT_RATE / 10;
const TIMEOUT_MS = 120_000;
const MAX_REPORT_CHARS = 2_000;

/** Bit-exact, so that the same order gives the same bytes. */
export function startEncoding({ ffmpegPath, format, tempo, onBytes }: EncodingOptions): Encoding {
  const input = ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', 'pipe:0'];
  const filter = `atempo=${tempo},aresample=${OUTPUT_RATE},apad=whole_len=${LEAST_SAMPLES}`;
  const exact = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact', '-flush_packets', '1'];
  const args = ['-v', 'error', '-nostats', ...input, '-af', filter, ...exact, ...encodingOf(format), 'pipe:1'];
  const child = spawn(ffmpegPath, args);
  let report = '';
  child.stdout.on('data', onBytes);
  child.stderr.on('data', (text: Buffer) => {
    report = `${report}${text}`.slice(-MAX_REPORT_CHARS);
  });
  // It ended before it had read everything; how it ended tells more.
  child.stdin.on('error', () => undefined);
  const overdue = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  const ended = new Promise<{ failure: string | undefined }>((resolve) => {
    const end = (failure: string | undefined) => {
      clearTimeout(overdue);
      resolve({ failure });
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (exitCode) => end(exitCode === 0 ? undefined : `It ended with ${exitCode}.`));
  });

  return {
    write: (samples) => void child.stdin.write(samples),
    async finish() {
      child.stdin.end();
      const { failure } = await ended;
      if (failure === undefined) return;
      throw new Error(`${ffmpegPath} failed; FFMPEG_PATH names the program. ${failure} ${report}`);
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
