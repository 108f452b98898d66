import type { MusicRequest } from '@mediagate/contracts';

export type Format = NonNullable<MusicRequest['audioFormat']>;

interface Written {
  contentType: string;
  /** For a sound of so many kilobits a second, where the format has a choice. */
  arguments(bitrateKbps: number): string[];
  /** As much as it takes. */
  bytesPerSecond(bitrateKbps: number): number;
}

const compressed = (kbps: number) => kbps * 125;

export const WRITTEN: Readonly<Record<Format, Written>> = {
  mp3: {
    contentType: 'audio/mpeg',
    arguments: (kbps) => ['-c:a', 'libmp3lame', '-b:a', `${kbps}k`, '-f', 'mp3'],
    bytesPerSecond: compressed,
  },
  m4a: {
    contentType: 'audio/mp4',
    // ffmpeg's `mp4` declares itself a video, so this is `ipod`; the index goes in front, so that a player can begin at once.
    arguments: (kbps) => ['-c:a', 'aac', '-b:a', `${kbps}k`, '-movflags', '+faststart', '-f', 'ipod'],
    bytesPerSecond: compressed,
  },
  wav: {
    contentType: 'audio/wav',
    arguments: () => ['-c:a', 'pcm_s16le', '-ar', '48000', '-ac', '2', '-f', 'wav'],
    bytesPerSecond: () => 48_000 * 2 * 2,
  },
};

/** Formats that can be read, by media type: ffmpeg's name, and the format of the result if none is asked for. */
const READ: Readonly<Record<string, { demuxer: string; kept: Format }>> = {
  'audio/mpeg': { demuxer: 'mp3', kept: 'mp3' },
  'audio/mp4': { demuxer: 'mov', kept: 'm4a' },
  'audio/wav': { demuxer: 'wav', kept: 'wav' },
  'audio/ogg': { demuxer: 'ogg', kept: 'mp3' },
  'audio/flac': { demuxer: 'flac', kept: 'wav' },
};

/** How a sound of the media type is read; undefined when it is not. */
export function readFormat(contentType: string): { demuxer: string; kept: Format } | undefined {
  return Object.hasOwn(READ, contentType) ? READ[contentType] : undefined;
}

export const READ_TYPES: readonly string[] = Object.keys(READ);
