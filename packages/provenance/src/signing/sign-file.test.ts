import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bufferSource } from '@mediagate/media';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { KINDS, ofVendor, plain } from '../../test/kinds';
import { type Mark, markFile, readParent } from '../marks/mark-file';
import { readProvenance, readValidStore } from '../read-provenance';
import { openSigner, type Signer } from './signer';
import { box, superbox } from './write-jumbf';
import type { Parent } from './write-manifest';

const signer = openSigner(makeDevelopmentCertificate());
const read = (bytes: Buffer, contentType: string) => readProvenance(bufferSource(bytes), contentType);

function markWith(by: Signer): Mark {
  return {
    type: 'trainedAlgorithmicMedia',
    signing: { signer: by, taskId: 'task_1', at: new Date('2026-11-29T10:00:00Z') },
  };
}

async function signed(bytes: Buffer, contentType: string, by = signer): Promise<Buffer> {
  const marked = await markFile({ bytes, contentType, width: 24, height: 16 }, markWith(by));
  if (marked.state !== 'signed' || !Buffer.isBuffer(marked.bytes)) throw new Error(`it was ${marked.state}`);
  return marked.bytes;
}

const OURS = {
  standard: 'c2pa',
  source_type: 'trainedAlgorithmicMedia',
  issuer: 'mediagate development (untrusted)',
  generator: expect.stringMatching(/^mediagate \d/),
  valid: true,
  problem: null,
};

describe('a signed result', () => {
  it.each(KINDS)('has a manifest that fits, and XMP: %s', async (extension, contentType) => {
    const sources = await read(await signed(await plain(extension), contentType), contentType);
    expect(sources).toHaveLength(2);
    expect(sources).toContainEqual(OURS);
    expect(sources).toContainEqual(
      expect.objectContaining({ standard: 'iptc', source_type: 'trainedAlgorithmicMedia' }),
    );
  });

  it.each(KINDS)(
    'is not valid any more where a byte of its content has changed: %s',
    async (extension, contentType) => {
      const original = await plain(extension);
      const bytes = await signed(original, contentType);
      const content = original.subarray(-40, -20);
      const at = bytes.lastIndexOf(content) + 10;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(await read(bytes, contentType)).toContainEqual(
        expect.objectContaining({
          standard: 'c2pa',
          valid: false,
          problem: 'the file was changed after it was signed',
        }),
      );
    },
  );

  it.each(KINDS)('is the same where it is a file that goes on behind its end: %s', async (extension, contentType) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-signed-'));
    try {
      const original = await plain(extension);
      const file = path.join(folder, 'output');
      await writeFile(file, Buffer.concat([original, Buffer.from('behind')]));
      const bytes = { path: file, totalBytes: original.length };
      const marked = await markFile({ bytes, contentType, width: 24, height: 16 }, markWith(signer));
      const { length } = await signed(original, contentType);
      expect(marked).toMatchObject({ state: 'signed', bytes: { path: `${file}-marked`, totalBytes: length } });
      expect(await read(await readFile(`${file}-marked`), contentType)).toContainEqual(OURS);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['ECDSA with P-384', () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' })],
    ['ECDSA with P-521', () => generateKeyPairSync('ec', { namedCurve: 'secp521r1' })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('may be signed by a key of %s', async (_kind, newKeys) => {
    const by = openSigner(makeDevelopmentCertificate({ keys: newKeys() }));
    expect(await read(await signed(await plain('png'), 'image/png', by), 'image/png')).toContainEqual(OURS);
  });

  it('names the service, the task and the time, and nothing else of whoever asked', async () => {
    const text = (await signed(await plain('png'), 'image/png')).toString('latin1');
    for (const word of ['mediagate.task', 'task_1', '2026-11-29T10:00:00.000Z', 'c2pa.created'])
      expect(text).toContain(word);
  });
});

/** A signed PNG whose manifest names these files of the caller's. */
async function signedWith(inputs: NonNullable<NonNullable<Mark['signing']>['inputs']>): Promise<Buffer> {
  const { type, signing } = markWith(signer);
  const marked = await markFile(
    { bytes: await plain('png'), contentType: 'image/png' },
    { type, signing: signing && { ...signing, inputs } },
  );
  const bytes = 'bytes' in marked && Buffer.isBuffer(marked.bytes) ? marked.bytes : Buffer.alloc(0);
  expect(await read(bytes, 'image/png')).toContainEqual(OURS);
  return bytes;
}

it('the caller’s files that went into a result are named in its manifest, by their hash where it is known', async () => {
  const inputs = [
    { title: 'image_urls[0]', contentType: 'image/png', sha256: '01'.repeat(32) },
    { title: 'image_urls[1]', contentType: null, sha256: null },
  ];
  const bytes = await signedWith(inputs);
  const text = bytes.toString('latin1');
  expect(text.match(/inputTo/g)).toHaveLength(2);
  for (const word of [`sha256:${'01'.repeat(32)}`, 'image_urls[0]', 'image_urls[1]', 'c2pa.ingredient.v3__1']) {
    expect(text).toContain(word);
  }
});

it('the valid manifest of a caller’s file is carried on once, however often the file went in', async () => {
  const sent = await ofVendor('jpg');
  const store = await readValidStore(bufferSource(sent), 'image/jpeg', 1_000_000);
  const input = { contentType: 'image/jpeg', sha256: '01'.repeat(32), store };
  const inputs = ['image_urls[0]', 'image_urls[1]'].map((title) => ({ title, ...input }));
  const bytes = await signedWith(inputs);
  const manifest = store?.subarray(store.indexOf('urn:c2pa:') - 25) ?? Buffer.alloc(0);
  expect(bytes.toString('latin1').split(manifest.toString('latin1'))).toHaveLength(2);
  // Each ingredient has the word twice: what was found of the manifest, and which one it is.
  expect(bytes.toString('latin1').match(/activeManifest/g)).toHaveLength(4);
});

it('is readable whatever callers’ files bring: stores of many boxes are left out once there are too many', async () => {
  // Its boxes count, whoever signed it.
  const fillers = Array.from({ length: 2600 }, () => box('free', Buffer.alloc(0)));
  const signature = superbox('c2cs', 'c2pa.signature', box('cbor', Buffer.alloc(1)));
  const storeOf = (label: string) => superbox('c2pa', 'c2pa', superbox('c2ma', label, signature, ...fillers));
  const inputs = ['one', 'other'].map((title) => {
    return { title, contentType: 'image/png', sha256: null, store: storeOf(`urn:c2pa:${title}`) };
  });
  const bytes = await signedWith(inputs);
  expect(['urn:c2pa:one', 'urn:c2pa:other'].map((label) => bytes.includes(`${label}\0`))).toEqual([true, false]);
});

it('a manifest is carried on only where it is valid and within the limit', async () => {
  const sent = await ofVendor('jpg');
  const storeOf = (bytes: Buffer, maxBytes: number) => readValidStore(bufferSource(bytes), 'image/jpeg', maxBytes);
  const store = await storeOf(sent, 1_000_000);
  expect(store?.length).toBeGreaterThan(1000);
  expect(await storeOf(sent, (store?.length ?? 0) - 1)).toBeUndefined();
  const changed = Buffer.from(sent);
  changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20);
  expect(await storeOf(changed, 1_000_000)).toBeUndefined();
  expect(await storeOf(await plain('jpg'), 1_000_000)).toBeUndefined();
});

describe('a file that has statements of its own', () => {
  it.each(KINDS)('carries its vendor’s manifest on, to the byte: %s', async (extension, contentType) => {
    const original = await ofVendor(extension);
    const bytes = await signed(original, contentType);
    expect(await read(bytes, contentType)).toEqual([OURS]);
    const start = original.indexOf('urn:c2pa:') - 25;
    const manifest = original.subarray(start, start + original.readUInt32BE(start - 8) - 8);
    expect(bytes.includes(manifest)).toBe(true);
    expect(bytes.includes('parentOf')).toBe(true);
  });

  it('keeps XMP that has no source type, and has no second one', async () => {
    const marked = await markFile(
      { bytes: await plain('png'), contentType: 'image/png' },
      { type: 'trainedAlgorithmicMedia' },
    );
    if (!('bytes' in marked) || !Buffer.isBuffer(marked.bytes)) throw new Error(`it was ${marked.state}`);
    const other = Buffer.from(
      marked.bytes.toString('latin1').replace('DigitalSourceType', 'AnotherStatement_'),
      'latin1',
    );
    const bytes = await signed(other, 'image/png');
    expect(await read(bytes, 'image/png')).toEqual([OURS]);
    expect(bytes.toString('latin1').match(/<x:xmpmeta/g)).toHaveLength(1);
  });

  it('is not touched where its manifest is not valid, or its headers do not lead to its end', async () => {
    const broken = await ofVendor('png');
    broken.writeUInt8(broken.readUInt8(broken.length - 20) ^ 1, broken.length - 20);
    const cut = (await plain('wav')).subarray(0, -2);
    for (const [bytes, contentType, problem] of [
      [broken, 'image/png', 'it has statements of its own, which a mark would break or double'],
      [cut, 'audio/wav', 'its headers do not lead to its end'],
    ] as const) {
      expect(await markFile({ bytes, contentType }, markWith(signer))).toEqual({ state: 'unmarked', problem });
    }
  });
});

describe('a file that was made of the vendor’s', () => {
  const made = async (parent: Parent | undefined, actions: Parent['actions'] = ['trimmed', 'transcoded']) => {
    const file = { bytes: await plain('mp3'), contentType: 'audio/mpeg', parent: parent && { ...parent, actions } };
    const marked = await markFile(file, markWith(signer));
    if (marked.state !== 'signed' || !Buffer.isBuffer(marked.bytes)) throw new Error(`it was ${marked.state}`);
    return { ...marked, text: marked.bytes.toString('latin1') };
  };

  it('carries the vendor’s manifest on, to the byte, and says what was done since', async () => {
    const original = await ofVendor('wav');
    const parent = await readParent(original, 'audio/wav');
    const { carriesParent, bytes, text } = await made(parent);
    expect(carriesParent).toBe(true);
    expect(await read(bytes as Buffer, 'audio/mpeg')).toContainEqual(OURS);
    const start = original.indexOf('urn:c2pa:') - 25;
    expect(text).toContain(original.toString('latin1', start, start + original.readUInt32BE(start - 8) - 8));
    const words = [...text.matchAll(/parentOf|audio\/wav|c2pa\.(?:opened|trimmed|transcoded)/g)].map(([word]) => word);
    expect(words).toEqual(['audio/wav', 'parentOf', 'c2pa.opened', 'c2pa.trimmed', 'c2pa.transcoded']);
  });

  it('has the vendor’s source type, in its manifest and as XMP', async () => {
    const composite = 'compositeWithTrainedAlgorithmicMedia';
    const first = await markFile(
      { bytes: await plain('png'), contentType: 'image/png' },
      { ...markWith(signer), type: composite },
    );
    const parent = await readParent('bytes' in first ? (first.bytes as Buffer) : Buffer.alloc(0), 'image/png');
    const { bytes, sourceType } = await made(parent, ['transcoded']);
    expect(sourceType).toBe(composite);
    const sources = await read(bytes as Buffer, 'audio/mpeg');
    expect(sources.map(({ source_type }) => source_type)).toEqual([composite, composite]);
  });

  it('is created, where the vendor’s has no manifest, or one that is not valid, and is not signed of it where nothing is', async () => {
    const broken = await ofVendor('wav');
    broken.writeUInt8(broken.readUInt8(broken.length - 20) ^ 1, broken.length - 20);
    for (const original of [await plain('wav'), broken]) {
      const parent = await readParent(original, 'audio/wav');
      expect(parent).toBeUndefined();
      const { carriesParent, text } = await made(parent);
      expect(carriesParent).toBe(false);
      expect(text).toContain('c2pa.created');
    }
    const parent = await readParent(await ofVendor('wav'), 'audio/wav');
    const file = { bytes: await plain('mp3'), contentType: 'audio/mpeg', parent };
    expect(await markFile(file, { type: 'trainedAlgorithmicMedia' })).toMatchObject({ state: 'written' });
  });

  it('is created where the vendor’s manifests have more boxes than go into another store; that one is left as it is', async () => {
    const fillers = Array.from({ length: 3900 }, () => box('free', Buffer.alloc(0)));
    const signature = superbox('c2cs', 'c2pa.signature', ...fillers, box('cbor', Buffer.alloc(1)));
    const inputOf = (more: number) => {
      const store = superbox('c2pa', 'c2pa', superbox('c2ma', 'urn:c2pa:one', signature, ...fillers.slice(0, more)));
      return [{ title: 'image_urls[0]', contentType: 'image/png', sha256: null, store }];
    };
    expect(await readParent(await signedWith(inputOf(50)), 'image/png')).toBeDefined();
    const full = await signedWith(inputOf(95));
    expect(await readParent(full, 'image/png')).toBeUndefined();
    expect(await markFile({ bytes: full, contentType: 'image/png' }, markWith(signer))).toEqual({ state: 'stated' });
  });
});

it('a signature that fails leaves no half of a file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-signed-'));
  try {
    const original = await plain('png');
    const bytes = { path: path.join(folder, 'output'), totalBytes: original.length };
    await writeFile(bytes.path, original);
    const failing = { ...signer, sign: () => Promise.reject(new Error('the key is away')) };
    await expect(markFile({ bytes, contentType: 'image/png' }, markWith(failing))).rejects.toThrow('the key is away');
    expect(await readdir(folder)).toEqual(['output']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each(KINDS)(
  'a %s whose signature does not fit has XMP alone, and no half of a file is left',
  async (extension, contentType) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-signed-'));
    try {
      const original = await plain(extension);
      const bytes = { path: path.join(folder, 'output'), totalBytes: original.length };
      await writeFile(bytes.path, original);
      const marked = await markFile({ bytes, contentType, width: 24, height: 16 }, markWith(wrong));
      const problem = 'what was signed does not read as valid: its signature does not fit its claim';
      expect(marked).toMatchObject({ state: 'written', problem, sourceType: 'trainedAlgorithmicMedia' });
      expect(await read(await readFile(`${bytes.path}-marked`), contentType)).toMatchObject([{ standard: 'iptc' }]);
      const carried = await ofVendor(extension);
      await writeFile(bytes.path, carried);
      const file = { bytes: { ...bytes, totalBytes: carried.length }, contentType };
      expect(await markFile(file, markWith(wrong))).toEqual({ state: 'stated', problem });
      expect(await readdir(folder)).toEqual(['output']);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

/** Signs other bytes than it is given. */
const wrong: Signer = { ...signer, sign: (claim) => signer.sign(Buffer.concat([claim, Buffer.alloc(1)])) };
