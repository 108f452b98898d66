import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { bufferSource } from '@mediagate/media';
import { KINDS, ofVendor, plain } from '../../test/kinds';
import { readProvenance } from '../read-provenance';
import { withEdits } from './edit';
import { markFile } from './mark-file';

const SIDES = { width: 24, height: 16 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mediagate-marks-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(bytes: Buffer, contentType: string): Promise<Buffer> {
  const marked = await markFile({ bytes, contentType, ...SIDES }, { type: 'trainedAlgorithmicMedia' });
  if (marked.state !== 'written' || !Buffer.isBuffer(marked.bytes)) throw new Error(`it was ${marked.state}`);
  return marked.bytes;
}

describe('a mark', () => {
  it.each(KINDS)('is written into a %s, and found there', async (extension, contentType) => {
    const bytes = await written(await plain(extension), contentType);
    expect(await readProvenance(bufferSource(bytes), contentType)).toMatchObject([
      { standard: 'iptc', source_type: 'trainedAlgorithmicMedia' },
    ]);
  });

  it.each(KINDS)(
    'is the same in a %s that is a file, of which the bytes behind its end are left out',
    async (extension, contentType) => {
      const bytes = await plain(extension);
      const file = path.join(folder, `output.${extension}`);
      await writeFile(file, Buffer.concat([bytes, Buffer.from('behind')]));
      const marked = await markFile(
        { bytes: { path: file, totalBytes: bytes.length }, contentType, ...SIDES },
        { type: 'trainedAlgorithmicMedia' },
      );
      const expected = await written(bytes, contentType);
      expect(marked).toEqual({
        state: 'written',
        sourceType: 'trainedAlgorithmicMedia',
        carriesParent: false,
        bytes: { path: `${file}-marked`, totalBytes: expected.length },
      });
      expect((await readFile(`${file}-marked`)).equals(expected)).toBe(true);
    },
  );

  it('names a composite where an image of the caller went in', async () => {
    const marked = await markFile(
      { bytes: await plain('png'), contentType: 'image/png' },
      { type: 'compositeWithTrainedAlgorithmicMedia' },
    );
    expect(marked).toMatchObject({ state: 'written' });
    const { bytes } = marked as { bytes: Buffer };
    expect(await readProvenance(bufferSource(bytes), 'image/png')).toMatchObject([
      { source_type: 'compositeWithTrainedAlgorithmicMedia' },
    ]);
  });

  it.each(KINDS)('is not written into a signed %s, nor twice', async (extension, contentType) => {
    for (const bytes of [await ofVendor(extension), await written(await plain(extension), contentType)]) {
      expect(await markFile({ bytes, contentType, ...SIDES }, { type: 'trainedAlgorithmicMedia' })).toEqual({
        state: 'stated',
      });
    }
  });

  it('is not written where a file has other XMP, or is of a kind or a form that takes none', async () => {
    const marked = await written(await plain('webp'), 'image/webp');
    const other = Buffer.from(marked.toString('latin1').replace('DigitalSourceType', 'AnotherStatement_'), 'latin1');
    const whole = await plain('wav');
    for (const [bytes, contentType, problem] of [
      [other, 'image/webp', 'it has statements of its own, which a mark would break or double'],
      [Buffer.from('GIF89a'), 'image/gif', 'image/gif carries no XMP'],
      [whole.subarray(0, -2), 'audio/wav', 'its headers do not lead to its end'],
    ] as const) {
      expect(await markFile({ bytes, contentType, ...SIDES }, { type: 'trainedAlgorithmicMedia' })).toEqual({
        state: 'unmarked',
        problem,
      });
    }
    expect((await readdir(folder)).every((name) => name.startsWith('output.'))).toBe(true);
  });

  it('is not written into a signed JPEG with fill bytes before its markers, nor into one whose markers do not lead to the scan', async () => {
    const signed = await ofVendor('jpg');
    const filled = Buffer.concat([signed.subarray(0, 2), Buffer.from([0xff, 0xff]), signed.subarray(2)]);
    expect(await markJpeg(filled)).toEqual({
      state: 'unmarked',
      problem: 'it has statements of its own, which a mark would break or double',
    });
    const broken = Buffer.concat([signed.subarray(0, 2), Buffer.from([0]), signed.subarray(2)]);
    expect(await markJpeg(broken)).toEqual({ state: 'unmarked', problem: 'its headers do not lead to its end' });
  });

  it.each([
    ['iTXt', 'XML:com.adobe.xmp\0\x01\0\0\0'],
    ['zTXt', 'Raw profile type xmp\0\0'],
  ])('is not written beside compressed XMP in an %s of a PNG', async (type, start) => {
    const body = Buffer.concat([Buffer.from(type + start, 'latin1'), deflateSync(Buffer.from('<x:xmpmeta/>'))]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length - 4);
    checksum.writeUInt32BE(crc32(body));
    const bytes = await plain('png');
    const packed = Buffer.concat([bytes.subarray(0, 33), length, body, checksum, bytes.subarray(33)]);
    expect(await markFile({ bytes: packed, contentType: 'image/png' }, { type: 'trainedAlgorithmicMedia' })).toEqual({
      state: 'unmarked',
      problem: 'it has statements that are compressed',
    });
  });

  it('stands behind the Exif of a JPEG that is not JFIF', async () => {
    const exif = Buffer.from('\xff\xe1\0\x10Exif\0\0II*\0\x08\0\0\0', 'latin1');
    exif.writeUInt16BE(exif.length - 2, 2);
    const bytes = await plain('jpg');
    const behindJfif = bytes.subarray(4 + bytes.readUInt16BE(4));
    const before = Buffer.concat([bytes.subarray(0, 2), exif]);
    const marked = await written(Buffer.concat([before, behindJfif]), 'image/jpeg');
    expect(marked.subarray(0, before.length).equals(before)).toBe(true);
    expect(marked.indexOf('http://ns.adobe.com/xap/1.0/')).toBe(before.length + 4);
  });

  it('leaves no half of a file where writing it fails', async () => {
    const gone = { path: path.join(folder, 'gone'), totalBytes: 10 };
    await expect(withEdits(gone, [{ at: 0, remove: 0, insert: Buffer.from('mark') }])).rejects.toThrow('ENOENT');
    expect(await readdir(folder)).not.toContain('gone-marked');
  });
});

function markJpeg(bytes: Buffer) {
  return markFile({ bytes, contentType: 'image/jpeg' }, { type: 'trainedAlgorithmicMedia' });
}
