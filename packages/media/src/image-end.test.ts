import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaBytes } from '@mediagate/contracts';
import sharp from 'sharp';
import { acceptFile } from './accept-file';
import { endOfImage } from './image-end';
import { readMedium } from './media-bytes';
import { bufferSource } from './sources/byte-source';

const plain = () => sharp({ create: { width: 31, height: 17, channels: 4, background: '#4088c0' } });
const noise = (channels: 3 | 4) =>
  sharp({
    create: { width: 64, height: 48, channels, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  });

/** Two by two, 24 bits a pixel, rows padded to four bytes. */
function bitmap(): Buffer {
  const bytes = Buffer.alloc(54 + 16);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(2, 18);
  bytes.writeInt32LE(-2, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE(0, 30);
  return bytes;
}

const IMAGES: [name: string, contentType: string, make: () => Promise<Buffer> | Buffer][] = [
  ['PNG', 'image/png', () => plain().png().toBuffer()],
  ['PNG with a palette', 'image/png', () => noise(3).png({ palette: true }).toBuffer()],
  ['JPEG', 'image/jpeg', () => noise(3).jpeg().toBuffer()],
  [
    'progressive JPEG with a profile',
    'image/jpeg',
    () => noise(3).withIccProfile('p3').jpeg({ progressive: true }).toBuffer(),
  ],
  ['JPEG with a thumbnail in its metadata', 'image/jpeg', jpegInJpeg],
  ['WebP', 'image/webp', () => noise(3).webp().toBuffer()],
  [
    'lossless WebP with metadata',
    'image/webp',
    () => noise(4).withIccProfile('p3').webp({ lossless: true }).toBuffer(),
  ],
  ['GIF', 'image/gif', () => noise(3).gif().toBuffer()],
  ['animated GIF', 'image/gif', animation],
  ['BMP', 'image/bmp', bitmap],
];

/** An image in an application segment has an end of its own, which is not that of the file. */
async function jpegInJpeg(): Promise<Buffer> {
  const [inner, outer] = [await plain().removeAlpha().jpeg().toBuffer(), await noise(3).jpeg().toBuffer()];
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe5);
  segment.writeUInt16BE(inner.length + 2, 2);
  return Buffer.concat([outer.subarray(0, 2), segment, inner, outer.subarray(2)]);
}

async function animation(): Promise<Buffer> {
  const frames = await Promise.all([1, 2, 3].map(() => noise(3).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

const TRAILERS: [name: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a ZIP', Buffer.from('PK\x03\x04 and so on, up to its directory PK\x05\x06', 'latin1')],
  ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['what looks like ends', Buffer.from('\xff\xd9IEND\xae\x42\x60\x82\x3b\x00\x3b\xff\xd9', 'latin1')],
  ['a megabyte', Buffer.alloc(1024 * 1024, 'x')],
];

const CONTENT_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'];
const accept = (bytes: MediaBytes) =>
  acceptFile({ field: 'file', maxBytes: 20_000_000, contentTypes: CONTENT_TYPES }, bytes);

async function acceptOnDisk(sent: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'mediagate-image-end-'));
  try {
    const path = join(folder, 'image');
    await writeFile(path, sent);
    const accepted = await accept({ path, totalBytes: sent.length });
    return { ...accepted, bytes: await readMedium(accepted.bytes) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('a JPEG on the disk behind three megabytes of metadata is measured, and its metadata is not read into memory', async () => {
  const jpeg = await noise(3).jpeg().toBuffer();
  const comment = Buffer.alloc(60_002);
  comment.writeUInt16BE(0xfffe);
  comment.writeUInt16BE(60_000, 2);
  const sent = Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(50).fill(comment), jpeg.subarray(2)]);
  const read = jest.spyOn(Buffer, 'alloc');
  const accepted = await acceptOnDisk(sent);
  expect(Math.max(...read.mock.calls.map(([bytes]) => bytes))).toBeLessThanOrEqual(1024 * 1024);
  read.mockRestore();
  expect(accepted).toMatchObject({ contentType: 'image/jpeg', width: 64, height: 48 });
});

describe.each(IMAGES)('%s', (_name, contentType, make) => {
  let image: Buffer;
  beforeAll(async () => {
    image = await make();
  });

  it.each(TRAILERS)('is kept without %s behind it', async (_trailer, trailer) => {
    const { bytes, contentType: judged } = await accept(Buffer.concat([image, trailer]));
    expect(judged).toBe(contentType);
    expect(await readMedium(bytes)).toEqual(image);
  });

  it.each(TRAILERS)('is judged alike in memory and on the disk, with %s behind it', async (_trailer, trailer) => {
    const sent = Buffer.concat([image, trailer]);
    const onDisk = await acceptOnDisk(sent);
    expect(onDisk).toEqual({ ...(await accept(sent)), bytes: image });
  });

  it('is refused alike in memory and on the disk where it is damaged', async () => {
    const damaged = Buffer.from(image).fill(0, 14, 30);
    const outcomes = [accept(damaged), acceptOnDisk(damaged)].map((judged) => judged.then(() => 'taken', String));
    // A GIF shows its damage when another image is made of it.
    if (contentType !== 'image/gif') expect(await outcomes[1]).toBe(await outcomes[0]);
  });

  it('has the same end where it is read from a file in pieces, wherever one ends', async () => {
    const { totalBytes, read } = bufferSource(Buffer.concat([image, Buffer.from('\xff\xd9IEND', 'latin1')]));
    const ends = new Set<number | undefined>();
    for (let pieceBytes = 200; pieceBytes < 460; pieceBytes += 1) {
      ends.add(await endOfImage({ totalBytes, read }, contentType, pieceBytes));
    }
    expect([...ends]).toEqual([image.length]);
  });

  it('has no end where its own is missing', async () => {
    for (const length of [image.length - 1, Math.ceil(image.length / 2), 30, 12, 3]) {
      expect(await endOfImage(bufferSource(image.subarray(0, length)), contentType)).toBeUndefined();
    }
  });

  it('ends within the bytes there are, whatever its own sizes say', async () => {
    const ends: number[] = [];
    for (let position = 2; position < Math.min(image.length - 4, 400); position += 1) {
      const damaged = Buffer.from(image);
      damaged.fill(0xff, position, position + 4);
      const end = await endOfImage(bufferSource(damaged), contentType);
      if (end !== undefined) ends.push(end);
    }
    expect(ends.filter((end) => end <= 0 || end > image.length)).toEqual([]);
  });
});

it.each<[string, number, () => Promise<Buffer>]>([
  ['PNG', 12, () => plain().png().toBuffer()],
  ['JPEG', 2, () => noise(3).jpeg().toBuffer()],
])('a %s that has lost only its end of %i bytes is refused', async (_name, endBytes, make) => {
  const image = await make();
  await expect(accept(image.subarray(0, image.length - endBytes))).rejects.toThrow(
    'file: The image is damaged or ends too early.',
  );
});

describe('an image made to be slow to walk through', () => {
  const START = Buffer.from([0xff, 0xd8]);
  const END = Buffer.from([0xff, 0xd9]);
  const ONE_MIB = 1024 * 1024;
  const repeat = (pattern: number[], count: number) => Buffer.alloc(pattern.length * count, Buffer.from(pattern));

  afterEach(() => jest.restoreAllMocks());

  it.each<[string, number[]]>([
    ['fill bytes', [0xff]],
    ['stuffed bytes', [0xff, 0x00]],
    ['restarts', [0xff, 0xd0]],
    ['restarts between single bytes', [0xff, 0xd0, 0x01]],
    ['restarts just too far apart to be found without a search', [0xff, ...Array<number>(66).fill(0x01)]],
  ])('takes no search for every marker that stands alone: %s', async (_name, pattern) => {
    const scan = repeat(pattern, Math.floor(ONE_MIB / pattern.length));
    const image = Buffer.concat([START, scan, END]);
    const search = jest.spyOn(Buffer.prototype, 'indexOf');
    expect(await endOfImage(bufferSource(image), 'image/jpeg')).toBe(image.length);
    expect(search.mock.calls.length).toBeLessThanOrEqual(image.length / 64);
  });

  it.each([0, 1, 62, 63, 64, 65, 66, 1000])('ends at its own end behind %i bytes of a scan', async (quiet) => {
    const image = Buffer.concat([START, Buffer.alloc(quiet, 0x01), Buffer.from([0xff, 0x00]), END]);
    expect(await endOfImage(bufferSource(Buffer.concat([image, END])), 'image/jpeg')).toBe(image.length);
  });

  const GIF_HEADER = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7)]);
  it.each<[string, string, (parts: number) => Buffer]>([
    ['segments', 'image/jpeg', (parts) => Buffer.concat([START, repeat([0xff, 0xe0, 0, 2], parts), END])],
    ['chunks', 'image/png', (parts) => Buffer.concat([Buffer.alloc(8), repeat(Array(12).fill(0), parts), pngEnd()])],
    [
      'blocks',
      'image/gif',
      (parts) => Buffer.concat([GIF_HEADER, repeat([0x21, 0xf9, 0], parts), Buffer.from([0x3b])]),
    ],
    ['chunks of a container', 'image/webp', (parts) => webpOf(parts + 1)],
  ])('has no end behind more than 100,000 %s', async (_name, contentType, make) => {
    const [most, tooMany] = [make(99_999), make(100_000)];
    expect(await endOfImage(bufferSource(most), contentType)).toBe(most.length);
    expect(await endOfImage(bufferSource(tooMany), contentType)).toBeUndefined();
  });

  it('is walked through once', async () => {
    const image = await plain().jpeg().toBuffer();
    const reads = jest.spyOn(Buffer.prototype, 'readUInt16BE');
    await endOfImage(bufferSource(image), 'image/jpeg');
    const once = reads.mock.calls.length;
    await accept(image);
    expect(reads.mock.calls.length).toBe(2 * once);
  });

  it('is refused before the image library reads it', async () => {
    const metadata = jest.spyOn(sharp.prototype, 'metadata');
    const segment = [0xff, 0xe1, 0, 8, ...Buffer.from('Exif\0\0')];
    const damaged = Buffer.concat([START, repeat(segment, 100_001), (await noise(3).jpeg().toBuffer()).subarray(2)]);
    await expect(accept(damaged)).rejects.toThrow('file: The image is damaged or ends too early.');
    expect(metadata).not.toHaveBeenCalled();
  });

  it('is refused as damaged', async () => {
    const jpeg = await noise(3).jpeg().toBuffer();
    const damaged = Buffer.concat([jpeg.subarray(0, -2), repeat([0xff, 0xe0, 0, 2], 100_001), END]);
    await expect(accept(damaged)).rejects.toThrow('file: The image is damaged or ends too early.');
  });
});

function webpOf(chunks: number): Buffer {
  const container = Buffer.alloc(12 + 8 * chunks);
  container.write('RIFF', 0, 'latin1');
  container.writeUInt32LE(container.length - 8, 4);
  return container;
}

function pngEnd(): Buffer {
  const chunk = Buffer.alloc(12);
  chunk.write('IEND', 4, 'latin1');
  return chunk;
}
