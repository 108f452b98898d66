import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bufferSource } from '@mediagate/media';
import { readProvenance } from './read-provenance';

/** `signed.*` and `older.*` (of the first version of claims) were signed by c2pa-python 0.38.1. */
const FOLDER = path.join(__dirname, '../test/files');
const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  wav: 'audio/wav',
  webp: 'image/webp',
};

const fileNamed = (name: string) => readFileSync(path.join(FOLDER, name));
const typeOf = (name: string) => TYPES[path.extname(name).slice(1)] ?? '';
const read = (bytes: Buffer, contentType: string) => readProvenance(bufferSource(bytes), contentType);

const SIGNED = {
  standard: 'c2pa',
  source_type: 'trainedAlgorithmicMedia',
  issuer: 'Example Models',
  generator: 'ExampleModels 2.0',
  valid: true,
  problem: null,
};

const NAMES = readdirSync(FOLDER);

describe('a signed file', () => {
  it.each(NAMES)('%s: its manifest is found, and fits the file', async (name) => {
    expect(await read(fileNamed(name), typeOf(name))).toEqual([SIGNED]);
  });

  it.each(NAMES)('%s: a changed byte of what is shown or heard is noticed', async (name) => {
    const bytes = Buffer.from(fileNamed(name));
    const at = name.endsWith('.png') ? bytes.indexOf('IDAT') + 20 : contentAt(bytes, name);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    const problem = 'the file was changed after it was signed';
    expect(await read(bytes, typeOf(name))).toEqual([{ ...SIGNED, valid: false, problem }]);
  });

  it('is not believed where its claim or an assertion was written anew', async () => {
    const claim = Buffer.from(
      fileNamed('signed.png').toString('latin1').replace('ExampleModels', 'AnotherModels'),
      'latin1',
    );
    expect(await read(claim, 'image/png')).toMatchObject([
      { generator: 'AnotherModels 2.0', valid: false, problem: 'its signature does not fit its claim' },
    ]);
    const action = Buffer.from(
      fileNamed('signed.png').toString('latin1').replace('trainedAlgo', 'humanAlgori'),
      'latin1',
    );
    expect(await read(action, 'image/png')).toMatchObject([
      { source_type: 'humanAlgoririthmicMedia', valid: false, problem: 'an assertion was changed after it was signed' },
    ]);
  });

  it('that is not covered whole is not called valid', async () => {
    const longer = Buffer.concat([fileNamed('signed.mp4'), box('uuid', Buffer.alloc(16, 7))]);
    expect(await read(longer, 'video/mp4')).toMatchObject([{ valid: false }]);
  });
});

/** Within what is shown or heard. */
function contentAt(bytes: Buffer, name: string): number {
  const media = ['mp4', 'mov', 'm4a'].some((extension) => name.endsWith(extension));
  if (media) return bytes.indexOf('mdat') + 40;
  return ['wav', 'webp'].some((extension) => name.endsWith(extension)) ? bytes.indexOf('C2PA') - 20 : bytes.length - 20;
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:CreatorTool="Maker 3"
  Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta>`;
const IPTC = {
  standard: 'iptc',
  source_type: 'trainedAlgorithmicMedia',
  issuer: null,
  generator: 'Maker 3',
  valid: null,
  problem: null,
};

const inPng = (type: string, data: string) => {
  const plain = fileNamed('signed.png');
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type + data, 4, 'latin1');
  // The manifest's chunk stands behind the header, of 33 bytes.
  return Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(plain.indexOf('IDAT') - 4)]);
};

const inRiff = (name: string, data: string) => {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(name, 0, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  chunk.write(data, 8, 'latin1');
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), chunk]);
};

const inId3 = (frame: string, data: string) => {
  const head = Buffer.alloc(20);
  head.write(`ID3\x03`, 0, 'latin1');
  const bytes = data.length + 10;
  head.writeUInt32BE(((bytes >> 7) << 8) | (bytes & 0x7f), 6);
  head.write(frame, 10, 'latin1');
  head.writeUInt32BE(data.length, 14);
  return Buffer.concat([head, Buffer.from(data, 'latin1')]);
};

const inJpeg = (data: string) => {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(data.length + 2, 4);
  return Buffer.concat([head, Buffer.from(data, 'latin1'), Buffer.from([0xff, 0xda])]);
};

describe('a digital source type in XMP', () => {
  it.each<[string, Buffer, string]>([
    ['PNG', inPng('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${XMP}`), 'image/png'],
    ['JPEG', inJpeg(`http://ns.adobe.com/xap/1.0/\0${XMP}`), 'image/jpeg'],
    ['WebP', inRiff('XMP ', XMP), 'image/webp'],
    ['WAV', inRiff('_PMX', XMP), 'audio/wav'],
    ['MP3', inId3('PRIV', `XMP\0${XMP}`), 'audio/mpeg'],
    [
      'MP4',
      box(
        'uuid',
        Buffer.from(`${Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex').toString('latin1')}${XMP}`, 'latin1'),
      ),
      'video/mp4',
    ],
    ['MOV', box('moov', box('udta', box('XMP_', Buffer.from(XMP)))), 'video/quicktime'],
  ])('is found in %s', async (_name, bytes, contentType) => {
    expect(await read(bytes, contentType)).toEqual([IPTC]);
  });

  it('says where a manifest stands that the file does not hold, and asks nobody for it', async () => {
    const provenance = (address: string) => `<x:xmpmeta><rdf:Description dcterms:provenance="${address}"/></x:xmpmeta>`;
    const remote = await read(inRiff('XMP ', provenance('https://manifests.example/m/1.c2pa')), 'image/webp');
    expect(remote).toEqual([
      {
        standard: 'c2pa',
        source_type: null,
        issuer: null,
        generator: null,
        valid: null,
        problem: 'its manifest stands at manifests.example, and was not fetched',
      },
    ]);
    for (const address of ['self#jumbf=/c2pa/urn:c2pa:1', 'file:///etc/passwd', 'nowhere']) {
      expect(await read(inRiff('XMP ', provenance(address)), 'image/webp')).toEqual([]);
    }
  });

  it('is read as an element or a resource, too, and XMP without one says nothing of an origin', async () => {
    const address = 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';
    for (const xmp of [
      `<Iptc4xmpExt:DigitalSourceType>${address}</Iptc4xmpExt:DigitalSourceType>`,
      `<Iptc4xmpExt:DigitalSourceType rdf:resource="${address}"/>`,
    ]) {
      expect(await read(inRiff('XMP ', xmp), 'image/webp')).toMatchObject([
        { standard: 'iptc', source_type: 'compositeWithTrainedAlgorithmicMedia' },
      ]);
    }
    expect(await read(inRiff('XMP ', '<x:xmpmeta xmp:CreatorTool="Editor"/>'), 'image/webp')).toEqual([]);
  });
});

it('the Chinese label is found as a text of a PNG, as a frame of an MP3, and in XMP', async () => {
  const label = '{"Label":"1","ContentProducer":"001191310000MA1FL7C10000000000"}';
  const found = [
    { ...IPTC, standard: 'gb45438', source_type: null, generator: null, issuer: '001191310000MA1FL7C10000000000' },
  ];
  expect(await read(inPng('tEXt', `AIGC\0${label}`), 'image/png')).toEqual(found);
  expect(await read(inId3('TXXX', `\0AIGC\0${label}`), 'audio/mpeg')).toEqual(found);
  const attribute = `TC260:AIGC="${label.replaceAll('"', '&quot;')}"`;
  expect(await read(inRiff('XMP ', attribute), 'image/webp')).toEqual(found);
});

describe('a file that states nothing, or nonsense', () => {
  it('without a statement, or of a type that carries none, has no sources', async () => {
    expect(await read(inPng('tEXt', 'Comment\0hello'), 'image/png')).toEqual([]);
    expect(await read(Buffer.from('GIF89a'), 'image/gif')).toEqual([]);
  });

  it.each(NAMES)('%s: cut off anywhere it answers, and is never called valid', async (name) => {
    const whole = fileNamed(name);
    for (let length = 0; length < whole.length - 1; length += 97) {
      const sources = await read(whole.subarray(0, length), typeOf(name));
      expect(sources.filter(({ valid }) => valid === true)).toEqual([]);
    }
  });

  it('whose manifest has any byte changed answers, and is not called valid', async () => {
    const whole = fileNamed('signed.png');
    const [start, end] = [whole.indexOf('caBX') + 4, whole.indexOf('IDAT') - 8];
    for (let at = start + 60; at < end; at += 31) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
      await expect(read(changed, 'image/png')).resolves.toHaveLength(1);
    }
  });

  it('has words that every database takes, however long and strange they are', async () => {
    const xmp = `DigitalSourceType="a\0b" xmp:CreatorTool="x${'\u{1f98a}'.repeat(300)}"`;
    const [found] = await read(inRiff('XMP ', Buffer.from(xmp).toString('latin1')), 'image/webp');
    expect(found?.source_type).toBe('a b');
    expect(found?.generator).toBe(`x${'\u{1f98a}'.repeat(199)}`);
  });

  it('is named with its problem', async () => {
    expect(await read(inRiff('C2PA', 'nonsense'), 'audio/wav')).toEqual([
      {
        ...SIGNED,
        source_type: null,
        issuer: null,
        generator: null,
        valid: false,
        problem: 'the statement cannot be read: a box of it is cut off',
      },
    ]);
  });
});
