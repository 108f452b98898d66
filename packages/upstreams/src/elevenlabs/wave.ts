const HEADER_BYTES = 44;
const PCM = 1;
const CHANNELS = 1;
const BITS = 16;
/** The length is not known before the end; readers go on until then. */
const UNKNOWN_SIZE = 0xffff_ffff;

/** Bare samples, 16 bits of one channel, as a WAV. The header goes with the first of them: before that nothing is made. */
export async function* asWave(samples: AsyncIterable<Uint8Array>, hertz: number): AsyncGenerator<Uint8Array> {
  let hasBegun = false;
  for await (const chunk of samples) {
    yield hasBegun ? chunk : Buffer.concat([headerOf(hertz), chunk]);
    hasBegun = true;
  }
}

function headerOf(hertz: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const frameBytes = (CHANNELS * BITS) / 8;
  header.write('RIFF', 0);
  header.writeUInt32LE(UNKNOWN_SIZE, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(CHANNELS, 22);
  header.writeUInt32LE(hertz, 24);
  header.writeUInt32LE(hertz * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(BITS, 34);
  header.write('data', 36);
  header.writeUInt32LE(UNKNOWN_SIZE, 40);
  return header;
}
