import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ByteSource, bufferSource } from '@mediagate/media';
import { type Assertion, sha256, signedManifest, signedStore } from '../test/sign';
import { readProvenance } from './read-provenance';
import { box } from './signing/write-jumbf';

const signedMp4 = readFileSync(path.join(__dirname, '../test/files/signed.mp4'));
const read = (bytes: Buffer, contentType: string) => readProvenance(bufferSource(bytes), contentType);

const NOT_CHECKED = { valid: null, problem: 'it is bound to the file in a way that is not checked' };
const NOTHING = sha256();
const actions = (type: string): Assertion => ({
  label: 'c2pa.actions.v2',
  fields: { actions: [{ action: 'c2pa.created', digitalSourceType: `http://x.test/${type}` }] },
});

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([box(type, data), Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length);
  return chunk;
}

const PNG_HEAD = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), pngChunk('IHDR', Buffer.alloc(13))]);
const pixels = (bytes: number) => pngChunk('IDAT', Buffer.alloc(bytes, 7));

interface Png {
  beside?: Assertion[];
  named?: string[];
  before?: Buffer[];
  image?: Buffer;
}

/** A PNG whose manifest has these assertions beside the binding. All of them are named, unless labels are given. */
function png({ beside = [], named, before = [], image = pixels(100) }: Png) {
  const withLength = (length: number) => {
    const binding = { exclusions: [{ start: PNG_HEAD.length, length }], hash: sha256(PNG_HEAD, image) };
    const assertions = [...beside, { label: 'c2pa.hash.data', fields: binding }];
    return pngChunk('caBX', signedStore({ assertions, before, ...(named && { named }) }));
  };
  return Buffer.concat([PNG_HEAD, withLength(withLength(0).length), image]);
}

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(9, copy.length - 20);
  return copy;
}

const UUID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const placeOf = (at: number) => box('', Buffer.alloc(0)).fill(0).fill(at, 7);

/** An MP4 of a manifest and a `mdat`, with so many exclusions of the manifest's box. */
function mp4({
  exclusions = 1,
  compared = UUID,
  offset = 8,
}: {
  exclusions?: number;
  compared?: Buffer;
  offset?: number;
}) {
  const ftyp = box('ftyp', Buffer.from('isom'));
  const mdat = box('mdat', Buffer.alloc(100, 7));
  const exclusion = { xpath: '/uuid', data: [{ offset, value: compared }] };
  const fields = {
    exclusions: Array.from({ length: exclusions }, () => exclusion),
    hash: sha256(placeOf(0), ftyp, placeOf(ftyp.length), mdat),
  };
  const store = signedStore({ assertions: [{ label: 'c2pa.hash.bmff.v3', fields }] });
  const head = Buffer.concat([UUID, Buffer.alloc(4), Buffer.from('manifest\0', 'latin1'), Buffer.alloc(8)]);
  return Buffer.concat([ftyp, mdat, box('uuid', head, store)]);
}

it('the forger’s files are valid as he signed them', async () => {
  const source = { issuer: 'Nobody', generator: 'Forger', valid: true, problem: null };
  expect(await read(png({ beside: [actions('one')] }), 'image/png')).toMatchObject([{ ...source, source_type: 'one' }]);
  expect(await read(changed(png({})), 'image/png')).toMatchObject([{ valid: false }]);
  expect(await read(mp4({}), 'video/mp4')).toMatchObject([source]);
});

describe('a manifest that names no source type', () => {
  const parent = signedManifest('urn:c2pa:parent', { assertions: [actions('one')] });
  const ingredient = (relationship: string, hash = sha256(parent.subarray(8))): Assertion => ({
    label: 'c2pa.ingredient.v3',
    fields: { relationship, activeManifest: { url: 'self#jumbf=/c2pa/urn:c2pa:parent', hash } },
  });
  const typeIn = async (...beside: Assertion[]) =>
    (await read(png({ beside, before: [parent] }), 'image/png')).map(({ valid, source_type: type }) => [valid, type]);

  it('has that of the file which it opened', async () => {
    expect(await typeIn(ingredient('parentOf'))).toEqual([[true, 'one']]);
    expect(await typeIn(ingredient('parentOf'), actions('other'))).toEqual([[true, 'other']]);
  });

  it('has none of what only went in, nor of a manifest that is not the one which was signed', async () => {
    expect(await typeIn(ingredient('inputTo'))).toEqual([[true, null]]);
    expect(await typeIn(ingredient('parentOf', NOTHING))).toEqual([[true, null]]);
  });
});

describe('what the signature does not cover', () => {
  it('binds no file, and says nothing: an assertion that the claim does not name', async () => {
    const empty = { label: 'c2pa.hash.bmff.v3', fields: { exclusions: [], hash: NOTHING } };
    const bytes = png({ beside: [empty, actions('one')], named: ['c2pa.hash.data'] });
    expect(await read(bytes, 'image/png')).toMatchObject([{ source_type: null, valid: true }]);
    expect(await read(changed(bytes), 'image/png')).toMatchObject([{ source_type: null, valid: false }]);
  });

  it('binds no file: a hash of boxes in a file that has none, or one of two hashes', async () => {
    const empty = { label: 'c2pa.hash.bmff.v3', fields: { exclusions: [], hash: NOTHING } };
    const alone = png({ beside: [empty], named: ['c2pa.hash.bmff.v3'] });
    expect(await read(alone, 'image/png')).toMatchObject([NOT_CHECKED]);
    expect(await read(png({ beside: [empty] }), 'image/png')).toMatchObject([NOT_CHECKED]);
  });

  it.each<[string, Buffer]>([
    ['bytes behind the last box', Buffer.alloc(100_000, 0xff)],
    ['a box that is longer than the file', Buffer.from('\0\x0f\0\0mdat and more', 'latin1')],
    ['a head that is cut off', Buffer.from('\0\0\0')],
    [
      'more boxes than are walked through',
      Buffer.concat([...Array.from({ length: 20_000 }, () => box('free')), box('mdat')]),
    ],
  ])('is not valid in an MP4: %s', async (_name, more) => {
    expect(await read(Buffer.concat([signedMp4, more]), 'video/mp4')).toMatchObject([NOT_CHECKED]);
  });

  it('is not valid in a JPEG: a segment between two pieces of the manifest', async () => {
    const start = Buffer.from([0xff, 0xd8]);
    const scan = Buffer.from('\xff\xda\0\x04image', 'latin1');
    const segment = (marker: number, ...contents: Buffer[]) => {
      const content = Buffer.concat(contents);
      const head = Buffer.from([0xff, marker, 0, 0]);
      head.writeUInt16BE(content.length + 2, 2);
      return Buffer.concat([head, content]);
    };
    const signed = (between: Buffer, length = 0): Buffer => {
      const fields = { exclusions: [{ start: 2, length }], hash: sha256(start, scan) };
      const store = signedStore({ assertions: [{ label: 'c2pa.hash.data', fields }] });
      const piece = (number: number, ...data: Buffer[]) =>
        segment(0xeb, Buffer.from(`JP\0\x01\0\0\0${String.fromCharCode(number)}`, 'latin1'), ...data);
      const pieces = [piece(1, store.subarray(0, 300)), between, piece(2, store.subarray(0, 8), store.subarray(300))];
      const excluded = Buffer.concat(pieces);
      return length === 0 ? signed(between, excluded.length) : Buffer.concat([start, excluded, scan]);
    };
    expect(await read(signed(Buffer.alloc(0)), 'image/jpeg')).toMatchObject([{ valid: true }]);
    const problem = 'its signature does not cover all of the file';
    expect(await read(signed(segment(0xdb, Buffer.alloc(65))), 'image/jpeg')).toMatchObject([{ valid: null, problem }]);
  });
});

/** Counts the turns of the event loop while it reads. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

describe('work is bounded', () => {
  afterEach(() => jest.restoreAllMocks());

  it('an assertion is hashed once, however often the claim names it, and a claim does not name thousands', async () => {
    const [big, others] = [{ label: 'big', fields: Buffer.alloc(2000) }, Array.from({ length: 150 }, () => 'big')];
    const bytes = png({ beside: [big], named: ['c2pa.hash.data', ...others] });
    const hashes = jest.spyOn(crypto, 'createHash');
    expect(await read(bytes, 'image/png')).toMatchObject([{ valid: true }]);
    expect(hashes).toHaveBeenCalledTimes(3);
    const problem = 'the statement cannot be read: its claim names more than 200 assertions';
    expect(await read(png({ beside: [big], named: [...others, ...others] }), 'image/png')).toMatchObject([{ problem }]);
  });

  it('others have their turn between two assertions, and between some hundred headers', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ label: `other${index}`, fields: index }));
    const bytes = png({ beside: many });
    expect(await turnsOf(() => read(bytes, 'image/png'))).toBeGreaterThan(100);
    const boxes = Buffer.concat(Array.from({ length: 10_000 }, () => box('free')));
    expect(await turnsOf(() => read(boxes, 'video/mp4'))).toBeGreaterThan(40);
  });

  it('CBOR of millions of items is not decoded', async () => {
    const fields = Array.from({ length: 10_001 }, () => null);
    const problem = 'the statement cannot be read: its CBOR has more than 10000 items';
    const bytes = png({ beside: [{ label: 'c2pa.actions.v2', fields }] });
    expect(await read(bytes, 'image/png')).toMatchObject([{ valid: false, problem }]);
  });

  it('a file with eight manifests is read whole once', async () => {
    const chunk = png({}).subarray(PNG_HEAD.length, -pixels(100).length);
    const bytes = png({ image: Buffer.concat([...Array.from({ length: 7 }, () => chunk), pixels(2_000_000)]) });
    let bytesRead = 0;
    const source: ByteSource = {
      totalBytes: bytes.length,
      read: async (start, end) => {
        bytesRead += Math.min(end, bytes.length) - start;
        return bytes.subarray(start, end);
      },
    };
    const problem = 'the file was compared with another manifest of it';
    const others = Array.from({ length: 7 }, () => expect.objectContaining({ valid: null, problem }));
    expect(await readProvenance(source, 'image/png')).toEqual([expect.objectContaining({ valid: true }), ...others]);
    expect(bytesRead).toBeLessThan(1.5 * bytes.length);
  });

  it('exclusions are those of a writer: few, and of the beginning of a box', async () => {
    expect(await read(mp4({ exclusions: 32 }), 'video/mp4')).toMatchObject([{ valid: true }]);
    expect(await read(mp4({ exclusions: 33 }), 'video/mp4')).toMatchObject([NOT_CHECKED]);
    expect(await read(mp4({ compared: Buffer.alloc(100) }), 'video/mp4')).toMatchObject([NOT_CHECKED]);
    expect(await read(mp4({ offset: 49 }), 'video/mp4')).toMatchObject([NOT_CHECKED]);
  });

  it('a WAV’s first tag is read, and an MP4’s first user data', async () => {
    const frame = Buffer.from('TXXX\0\0\0\x0f\0\0\0AIGC\0{"Label"', 'latin1');
    const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0', 'latin1'), Buffer.from([frame.length]), frame]);
    const head = Buffer.from(`id3 ${String.fromCharCode(tag.length)}\0\0\0`, 'latin1');
    const riff = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
    const wav = Buffer.concat([riff, head, tag, Buffer.alloc(tag.length % 2), head, tag, Buffer.alloc(tag.length % 2)]);
    expect(await read(wav, 'audio/wav')).toMatchObject([{ standard: 'gb45438' }]);
    const userData = box('udta', box('XMP_', Buffer.from('DigitalSourceType="x/one"')));
    const mov = Buffer.concat([box('moov', userData, userData), box('moov', userData)]);
    expect(await read(mov, 'video/quicktime')).toMatchObject([{ source_type: 'one' }]);
  });
});
