import { SAMPLE_RATE } from './instruments';

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Samples within -1 and 1 as a WAV file: mono, 16 bits, 44.1 kHz. */
export function wavOf(samples: Float32Array): Buffer {
  const file = Buffer.alloc(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  // PCM, one channel.
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * BYTES_PER_SAMPLE, 40);
  const body = new Int16Array(file.buffer, file.byteOffset + HEADER_BYTES, samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    body[index] = Math.round(Math.max(-1, Math.min(1, samples[index] ?? 0)) * 32_767);
  }
  return file;
}
