import sharp from 'sharp';
import { extensionOf, sniff } from './sniff';

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

  it('gives an unknown type a harmless suffix', () => expect(extensionOf('text/html')).toBe('bin'));
});
