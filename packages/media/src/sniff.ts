export interface MediaType {
  contentType: string;
  /** Without the dot. */
  extension: string;
}

interface Signature extends MediaType {
  matches(bytes: Buffer): boolean;
}

/**
 * Types by their first bytes, first match wins; a new type is a line here. SVG is left out on purpose: it is a document that
 * can run scripts and fetch. file-type is no substitute: it does not tell PCM from compressed WAV, and would accept types that no field takes.
 */
const SIGNATURES: readonly Signature[] = [
  { contentType: 'image/png', extension: 'png', matches: startsWith('\x89PNG\r\n\x1a\n') },
  { contentType: 'image/jpeg', extension: 'jpg', matches: startsWith('\xff\xd8\xff') },
  { contentType: 'image/webp', extension: 'webp', matches: both(startsWith('RIFF'), has(8, 'WEBP')) },
  { contentType: 'image/gif', extension: 'gif', matches: either(startsWith('GIF87a'), startsWith('GIF89a')) },
  { contentType: 'image/avif', extension: 'avif', matches: has(4, 'ftypavif') },
  { contentType: 'image/bmp', extension: 'bmp', matches: both(startsWith('BM'), has(6, '\0\0\0\0')) },
  { contentType: 'video/quicktime', extension: 'mov', matches: has(4, 'ftypqt  ') },
  { contentType: 'audio/mp4', extension: 'm4a', matches: has(4, 'ftypM4A ') },
  { contentType: 'video/mp4', extension: 'mp4', matches: either(has(4, 'ftypiso'), has(4, 'ftypmp4'), isMp4Brand) },
  { contentType: 'video/webm', extension: 'webm', matches: both(startsWith('\x1aE\xdf\xa3'), isWebm) },
  { contentType: 'audio/wav', extension: 'wav', matches: both(isWave, not(isCompressedWave)) },
  {
    contentType: 'audio/ogg',
    extension: 'ogg',
    matches: both(startsWith('OggS'), not(either(isOggOfOtherSound, isOggOfImages))),
  },
  { contentType: 'audio/flac', extension: 'flac', matches: startsWith('fLaC') },
  { contentType: 'application/pdf', extension: 'pdf', matches: startsWith('%PDF-') },
  { contentType: 'audio/mpeg', extension: 'mp3', matches: either(startsWith('ID3'), isMpegAudioFrame) },
];

/** Finds a file's type by its bytes alone; undefined: none of the types the gateway knows. */
export function sniff(bytes: Buffer): MediaType | undefined {
  const signature = SIGNATURES.find(({ matches }) => matches(bytes));
  return signature && { contentType: signature.contentType, extension: signature.extension };
}

/** The first bytes of these containers do not tell whether they hold a video track; one without is sound. */
const SOUND_IN: ReadonlyMap<string, MediaType> = new Map([
  ['video/mp4', { contentType: 'audio/mp4', extension: 'm4a' }],
  ['video/quicktime', { contentType: 'audio/mp4', extension: 'm4a' }],
  ['video/webm', { contentType: 'audio/webm', extension: 'webm' }],
]);

/** The type of such a file where it has no video track; undefined: it cannot be sound. */
export function soundIn(contentType: string): MediaType | undefined {
  return SOUND_IN.get(contentType);
}

/** Types that no field takes, and that a refusal names: their senders learn what they have, and read beside it what to send. */
const UNTAKEN: readonly (readonly [contentType: string, matches: Test])[] = [
  ['image/heic', isHeic],
  // The library of images reads none of these, though most have a still image, too.
  ['image/avif of moving images', has(4, 'ftypavis')],
  ['image/tiff', either(startsWith('II*\0'), startsWith('MM\0*'))],
  ['image/jp2', startsWith('\0\0\0\x0cjP  ')],
  ['image/x-icon', startsWith('\0\0\x01\0')],
  ['video/x-matroska', startsWith('\x1aE\xdf\xa3')],
  ['video/x-msvideo', both(startsWith('RIFF'), has(8, 'AVI '))],
  ['video/mpeg', either(startsWith('\0\0\x01\xba'), startsWith('\0\0\x01\xb3'))],
  ['video/mp2t', both(startsWith('G'), has(188, 'G'))],
  ['video/x-flv', startsWith('FLV\x01')],
  ['video/x-ms-asf', startsWith('\x30\x26\xb2\x75\x8e\x66\xcf\x11')],
  ['audio/aiff', both(startsWith('FORM'), either(has(8, 'AIFF'), has(8, 'AIFC')))],
  ['audio/x-caf', startsWith('caff')],
  ['audio/basic', startsWith('.snd')],
  ['audio/amr', startsWith('#!AMR')],
  ['audio/aac', either(startsWith('\xff\xf1'), startsWith('\xff\xf9'))],
  ['audio/wav of the form RF64', both(startsWith('RF64'), has(8, 'WAVE'))],
  ['audio/wav with compressed sound in place of PCM', isCompressedWave],
  ['audio/ogg with FLAC or Speex in place of Opus or Vorbis', isOggOfOtherSound],
  ['video/ogg', isOggOfImages],
  ['image/svg+xml', isSvg],
  ['application/pdf behind other bytes', (bytes) => bytes.subarray(0, 1024).includes('%PDF-', 0, 'latin1')],
];

/** The name of a type that no field takes; undefined: nothing is known of the file. */
export function untakenType(bytes: Buffer): string | undefined {
  return UNTAKEN.find(([, matches]) => matches(bytes))?.[0];
}

/** Types that the first bytes alone do not show; see `inspect/packed-document.ts` and `inspect/compound-document.ts`. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.apple.keynote', 'key'],
  ['application/vnd.apple.pages', 'pages'],
  ['application/vnd.apple.numbers', 'numbers'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);

export function isDocumentType(contentType: string): boolean {
  return DOCUMENTS.has(contentType);
}

/** All types that a file can be found to be. */
export const KNOWN_TYPES: readonly string[] = [
  ...new Set([...SIGNATURES, ...SOUND_IN.values()].map(({ contentType }) => contentType)),
  ...DOCUMENTS.keys(),
];

/** The file suffix of a content type; `bin` for a type the gateway does not know. */
export function extensionOf(contentType: string): string {
  const type = [...SIGNATURES, ...SOUND_IN.values()].find((candidate) => candidate.contentType === contentType);
  return type?.extension ?? DOCUMENTS.get(contentType) ?? 'bin';
}

type Test = (bytes: Buffer) => boolean;

function startsWith(text: string): Test {
  return has(0, text);
}

function has(offset: number, text: string): Test {
  const expected = Buffer.from(text, 'latin1');
  return (bytes) => bytes.subarray(offset, offset + expected.length).equals(expected);
}

function both(...tests: Test[]): Test {
  return (bytes) => tests.every((test) => test(bytes));
}

function either(...tests: Test[]): Test {
  return (bytes) => tests.some((test) => test(bytes));
}

function not(test: Test): Test {
  return (bytes) => !test(bytes);
}

function isWave(bytes: Buffer): boolean {
  return startsWith('RIFF')(bytes) && has(8, 'WAVE')(bytes);
}

/** PCM, floats, and what telephones have: the forms of a WAV file that can be read. */
const WAVE_FORMS = new Set([0x0001, 0x0003, 0x0006, 0x0007]);
/** The form stands further behind then. */
const EXTENSIBLE = 0xfffe;

/** Goes from chunk to chunk to the one that says how the sound is written down. */
function isCompressedWave(bytes: Buffer): boolean {
  if (!isWave(bytes)) return false;
  for (let at = 12; at + 34 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)) {
    if (bytes.toString('latin1', at, at + 4) !== 'fmt ') continue;
    const form = bytes.readUInt16LE(at + 8);
    return !WAVE_FORMS.has(form === EXTENSIBLE ? bytes.readUInt16LE(at + 32) : form);
  }
  return false;
}

/** The first page of an Ogg file begins with the name of what it holds, most often behind one length. */
function isOggOfOtherSound(bytes: Buffer): boolean {
  return startsWith('OggS')(bytes) && /^(?:\x7fFLAC|Speex )/.test(bytes.toString('latin1', 28, 34));
}

/** A track of images is announced before those of sound. */
function isOggOfImages(bytes: Buffer): boolean {
  return both(startsWith('OggS'), either(has(28, '\x80theora'), has(28, '\x01video')))(bytes);
}

/** The root of the document, behind whatever may stand before it. */
function isSvg(bytes: Buffer): boolean {
  return /^(?:\ufeff)?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)*<svg[\s>]/.test(
    bytes.toString('utf8'),
  );
}

const MP4_BRANDS = ['avc1', 'hvc1', 'hev1', 'dash', 'cmfc', 'MSNV', 'NDSC', 'f4v '];

/** Other brands of the same container are images (AVIF, HEIC) and must not pass for video. */
function isMp4Brand(bytes: Buffer): boolean {
  const brand = bytes.toString('latin1', 8, 12);
  const isVideo = MP4_BRANDS.includes(brand) || /^(?:3g|M4V|XAVC)/.test(brand);
  return has(4, 'ftyp')(bytes) && isVideo;
}

/** The brands of still images and of their sequences, as telephones write them. */
function isHeic(bytes: Buffer): boolean {
  return has(4, 'ftyp')(bytes) && /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(bytes.toString('latin1', 8, 12));
}

/** Matroska and WebM begin alike; the document type stands within the first header. */
function isWebm(bytes: Buffer): boolean {
  return bytes.subarray(0, 64).includes('webm', 0, 'latin1');
}

/** Eleven set bits, a version that exists, layer III, and a bit rate and sample rate that are not "invalid". */
function isMpegAudioFrame(bytes: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const validHeader = (second & 0x18) !== 0x08 && (second & 0x06) === 0x02;
  return (
    first === 0xff && (second & 0xe0) === 0xe0 && validHeader && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
  );
}
