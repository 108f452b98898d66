import sharp from 'sharp';
import { extensionOf, sniff, untakenType } from './sniff';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('sniff', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['avif', 'image/avif'],
  ] as const)('knows a real %s', async (format, contentType) => {
    const bytes = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer();
    expect(sniff(bytes)?.contentType).toBe(contentType);
  });

  it.each([
    ['BM\x46\0\0\0\0\0\0\0', 'image/bmp', 'bmp'],
    ['\0\0\0\x20ftypisom\0\0\x02\0', 'video/mp4', 'mp4'],
    ['\0\0\0\x1cftypmp42\0\0\0\0', 'video/mp4', 'mp4'],
    ['\0\0\0\x1cftypavc1\0\0\0\0', 'video/mp4', 'mp4'],
    ['\0\0\0\x14ftypqt  \0\0\0\0', 'video/quicktime', 'mov'],
    ['\0\0\0\x1cftypM4A \0\0\0\0', 'audio/mp4', 'm4a'],
    ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video/webm', 'webm'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav', 'wav'],
    ['OggS\0\x02', 'audio/ogg', 'ogg'],
    ['fLaC\0\0\0\x22', 'audio/flac', 'flac'],
    ['%PDF-1.7\n', 'application/pdf', 'pdf'],
    ['ID3\x04\0\0', 'audio/mpeg', 'mp3'],
    ['\xff\xfb\x90\x64', 'audio/mpeg', 'mp3'],
    ['\xff\xf3\x40\xc4', 'audio/mpeg', 'mp3'],
  ])('knows %j as %s', (head, contentType, extension) => {
    expect(sniff(latin1(head))).toEqual({ contentType, extension });
    expect(extensionOf(contentType)).toBe(extension);
  });

  it.each([
    '',
    '\x89PN',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><svg/>',
    '<!doctype html>',
    'GIF88a',
    'BMx is not a bitmap',
    'RIFF\0\0\0\0AVI ',
    '\0\0\0\x1cmoovavc1\0\0\0\0',
    '\0\0\0\x1cftypheic\0\0\0\0',
    '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska',
    'PK\x03\x04',
    '\xff\xff\xff\xff',
    '\xff\xe9\x90\x64',
    '\xff\xf9\x90\x64',
    '\xff\xfb\xf0\x64',
    '\xff\xfeG\0',
    '\xff\xfb\x9c\x64',
    ' %PDF-1.7',
  ])('does not claim to know %j', (head) => expect(sniff(latin1(head))).toBeUndefined());

  const wave = (form: number, before = '') => {
    const format = Buffer.alloc(48);
    format.write('fmt ');
    format.writeUInt32LE(40, 4);
    format.writeUInt16LE(form & 0xffff, 8);
    format.writeUInt16LE(form >> 16, 32);
    return Buffer.concat([latin1(`RIFF\0\0\0\0WAVE${before}`), format]);
  };

  it.each([
    ['PCM', wave(1)],
    ['floats', wave(3)],
    ['PCM in the longer form', wave(0x1fffe)],
    ['telephone’s sound behind another chunk', wave(6, 'JUNK\x03\0\0\0abc\0')],
  ])('knows a WAV file of %s', (_, bytes) => expect(sniff(bytes)?.contentType).toBe('audio/wav'));

  it.each<[string, Buffer]>([
    ['audio/wav with compressed sound in place of PCM', wave(2)],
    ['audio/wav with compressed sound in place of PCM', wave(0x2fffe, 'JUNK\x02\0\0\0ab')],
    ['audio/ogg with FLAC or Speex in place of Opus or Vorbis', latin1(`OggS${'\0'.repeat(24)}\x7fFLAC\x01`)],
    ['image/avif of moving images', latin1('\0\0\0\x1cftypavis\0\0\0\0')],
    ['video/ogg', latin1(`OggS${'\0'.repeat(24)}\x80theora\x03`)],
    ['video/ogg', latin1(`OggS${'\0'.repeat(24)}\x01video\0\0`)],
    ['application/pdf behind other bytes', latin1('\xef\xbb\xbf%PDF-1.7\n')],
    ['image/svg+xml', latin1('<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg [<!ENTITY a "b">]><svg>')],
    ['image/svg+xml', latin1('\xef\xbb\xbf<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['image/heic', latin1('\0\0\0\x1cftyphevc\0\0\0\0')],
    ['image/heic', latin1('\0\0\0\x1cftypmsf1\0\0\0\0')],
  ])('names %s, which no field takes', (type, bytes) => {
    expect([sniff(bytes), untakenType(bytes)]).toEqual([undefined, type]);
  });

  it('gives an unknown type a harmless suffix', () => expect(extensionOf('text/html')).toBe('bin'));
});
