import { MediaError } from './media-error';
import { type PartFile, typeOfPart } from './part-type';

const PNG = '\x89PNG\r\n\x1a\n';
const WAV = 'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0';
const MP4 = '\0\0\0\x1cftypisom\0\0\0\0';
const HEIC = '\0\0\0\x1cftypheic\0\0\0\0';

const READ = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const READ_WITH_HEIC = ['image/png', 'image/heic', 'image/heif'];

const part = (declared: string, bytes: string, more: Partial<PartFile> = {}): PartFile => ({
  field: 'contents[0].parts[0].inlineData.data',
  declared,
  base64: Buffer.from(bytes, 'latin1').toString('base64'),
  takesIds: false,
  imageTypes: () => READ,
  ...more,
});

function refusal(file: PartFile): string {
  try {
    return `taken as ${typeOfPart(file)}`;
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return error.message.replace(/^.+?: /, '');
  }
}

const IMAGES = READ.join(', ');

describe('a file in the body of a text', () => {
  it.each<[type: string, declared: string, bytes: string]>([
    ['image/png', 'image/png', PNG],
    ['image/png', 'image/jpg', PNG],
    ['image/png', 'IMAGE/PNG; name=a', PNG],
    ['image/png', 'text/plain', PNG],
    ['image/png', '', PNG],
    ['audio/wav', 'audio/mpeg', WAV],
    ['audio/x-wav', 'audio/x-wav', WAV],
    ['video/mp4', 'image/png', MP4],
    ['audio/mp4', 'audio/mp4', MP4],
    ['application/pdf', 'image/png', '%PDF-1.7\n'],
    ['audio/x-aiff', 'audio/x-aiff', 'FORM\0\0\0\0AIFF'],
    ['video/x-msvideo', 'image/png', 'RIFF\0\0\0\0AVI '],
    ['audio/wav', 'image/png', 'RF64\0\0\0\0WAVE'],
  ])('is %s by its bytes, where it is called %j', (type, declared, bytes) => {
    expect(typeOfPart(part(declared, bytes))).toBe(type);
  });

  it.each<[declared: string, bytes: string]>([
    ['text/plain', 'caffeine'],
    ['text/markdown', '# %PDF-1.7 begins each PDF'],
    ['text/xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['application/json', '{}'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04\0'],
    ['audio/pcm', '\0\x01\0\x02'],
    ['audio/L16;rate=16000', '\0\x01\0\x02'],
  ])('is what it is called where its bytes do not tell: %s', (declared, bytes) => {
    expect(typeOfPart(part(declared, bytes))).toBe(declared);
  });

  it.each(['', 'application/octet-stream'])('is unknown where nothing tells, as of %j', (declared) => {
    expect(typeOfPart(part(declared, 'abc'))).toBeUndefined();
  });

  it.each<[declared: string, bytes: string, problem: string]>([
    ['image/png', '\0\0\0', `The file is of an unknown type; accepted are ${IMAGES}.`],
    ['image/heic', 'abc', `The file is of an unknown type; accepted are ${IMAGES}.`],
    ['application/pdf', 'abc', 'The file is of an unknown type; accepted are application/pdf.'],
    ['video/mp4', 'abc', 'The file is of an unknown type; accepted are video/quicktime, video/mp4, video/webm.'],
    ...['image/heic', 'image/png', 'text/plain', ''].map((declared): [string, string, string] => {
      return [declared, HEIC, `The file is image/heic; accepted are ${IMAGES}. Convert it to JPEG or PNG.`];
    }),
    ['image/tiff', 'II*\0', `The file is image/tiff; accepted are ${IMAGES}. Convert it to JPEG or PNG.`],
    ['image/svg+xml', '<svg>', `The file is image/svg+xml; accepted are ${IMAGES}. Convert it to JPEG or PNG.`],
    ['image/avif', '\0\0\0\x1cftypavif', `The file is image/avif; accepted are ${IMAGES}. Convert it to JPEG or PNG.`],
  ])('that is called %j is refused by its bytes: %j', (declared, bytes, problem) => {
    expect(refusal(part(declared, bytes))).toBe(problem);
  });

  it.each<[declared: string, type: string]>([
    ['image/heic', 'image/heic'],
    ['image/heif', 'image/heif'],
    ['image/heic-sequence', 'image/heic'],
    ['image/jpeg', 'image/heic'],
    ['text/plain', 'image/heic'],
    ['', 'image/heic'],
  ])('is a HEIC where the vendor reads those and it is called %j', (declared, type) => {
    expect(typeOfPart(part(declared, HEIC, { imageTypes: () => READ_WITH_HEIC }))).toBe(type);
    expect(refusal(part(declared, HEIC, { imageTypes: () => ['image/png'] }))).toContain('Convert it to PNG.');
  });

  it('is refused by its type where its vendor does not read that', () => {
    expect(refusal(part('image/gif', 'GIF89a', { imageTypes: () => READ_WITH_HEIC }))).toBe(
      'The file is image/gif; accepted are image/png, image/heic, image/heif. Convert it to PNG.',
    );
  });

  it('is refused as sound by its name alone', () => {
    expect(refusal(part('audio/wav', 'abc'))).toMatch(/^The file is of an unknown type; accepted are audio\//);
  });

  it('is refused by its type in a field of sound', () => {
    const refused = /^The file is image\/png; accepted are audio\/[^.]+\.$/;
    expect(refusal(part('audio/wav', PNG, { isSound: true }))).toMatch(refused);
    expect(refusal(part('audio/wav', WAV, { isSound: true }))).toBe('taken as audio/wav');
  });

  it('is sent for an id only where one may stand in its place', () => {
    const avif = '\0\0\0\x1cftypavif';
    expect(refusal(part('image/avif', avif, { takesIds: true }))).toContain('Send it to /v1/files first');
  });

  it.each(['', '!!', 'AAAA!!'])('that is no base64 is left to who refuses that: %j', (base64) => {
    expect(typeOfPart(part('image/png', '', { base64 }))).toBe('image/png');
  });
});
