/** Files by what they are taken as, or by the sentence by which they are refused; ` … ` stands for the types that are accepted. */
const BY_RESULT: Readonly<Record<string, string>> = {
  'application/pdf, 2 pages': 'fpdf2.pdf scanned.pdf',
  'application/pdf, 3 pages':
    'for-its-owner.pdf for-readers.pdf linearized.pdf object-streams.pdf reportlab-packed.pdf reportlab.pdf version-2.pdf',
  'application/pdf, 4 pages': 'appended-to.pdf pypdf.pdf',
  'audio/flac, 2.0 s': 'plain.flac',
  'audio/mp4, 2.0 s': 'audio-book.m4b lossless.m4a plain.m4a sound-alone.mov sound-alone.mp4 with-cover.m4a',
  'audio/mpeg, 2.0 s': 'plain.mp3 untagged.mp3 varying-rate.mp3 with-cover.mp3',
  'audio/ogg, 2.0 s': 'voice-message.opus vorbis.ogg',
  'audio/wav, 1.0 s': 'broadcast.wav cut-off.wav junk-first.wav odd-list.wav plain.wav streamed.wav tags-behind.wav',
  'audio/wav, 2.0 s': '24-bit.wav float.wav telephone.wav',
  'audio/webm, 2.0 s': 'sound-alone.webm',
  'file: The PDF is broken; its pages cannot be counted.': 'cut-off.pdf',
  'file: The audio cannot be read.': 'adpcm.wav mp3-inside.wav never-finished.wav no-data.wav',
  'file: The file holds no sound.': 'flac.ogg',
  'file: The file is audio/aac; accepted are …': 'plain.aac',
  'file: The file is audio/aiff; accepted are …': 'plain.aiff',
  'file: The file is audio/basic; accepted are …': 'plain.au',
  'file: The file is audio/wav of the form RF64; accepted are …': 'rf64.wav',
  'file: The file is audio/x-caf; accepted are …': 'plain.caf',
  'file: The file is image/heic; accepted are …': 'photo.heif plain.heic',
  'file: The file is image/jp2; accepted are …': 'plain.jp2',
  'file: The file is image/tiff; accepted are …': 'plain.tiff',
  'file: The file is image/x-icon; accepted are …': 'plain.ico',
  'file: The file is of an unknown type; accepted are …':
    'behind-a-mark.pdf behind-an-empty-line.pdf plain.mp2 plain.ppm',
  'file: The file is video/mp2t; accepted are …': 'plain.ts',
  'file: The file is video/x-flv; accepted are …': 'plain.flv',
  'file: The file is video/x-matroska; accepted are …': 'plain.mkv',
  'file: The file is video/x-ms-asf; accepted are …': 'plain.wma plain.wmv',
  'file: The file is video/x-msvideo; accepted are …': 'plain.avi',
  'file: The image is damaged or ends too early.': 'cut-off.jpg',
  'image/bmp, 80x60': 'alpha.bmp plain.bmp',
  'image/jpeg, 60x80': 'orientation-5.jpg orientation-6.jpg orientation-7.jpg orientation-8.jpg turned.avif',
  'image/jpeg, 80x60':
    'cmyk.jpg grey.jpg icc.jpg motion-photo.jpg orientation-1.jpg orientation-2.jpg orientation-3.jpg orientation-4.jpg plain.avif progressive.jpg several-images.mpo',
  'image/png, 60x80': 'orientation-6.png',
  'image/png, 64x48': 'cover.png',
  'image/png, 80x60': '1-bit.png 16-bit.png alpha.avif animated.gif animated.png grey-alpha.png icc.png palette.png',
  'image/webp, 60x80': 'orientation-6.webp',
  'image/webp, 80x60': 'animated.webp lossless.webp',
  'text/plain': 'drawing.svg',
  'video/mp4, 128x48, 2.0 s': 'tall-pixels.mp4',
  'video/mp4, 192x144, 2.0 s': 'plain.3gp',
  'video/mp4, 48x64, 2.0 s': 'rotated.mp4',
  'video/mp4, 64x48, 1.4 s': 'edit-list.mp4',
  'video/mp4, 64x48, 2.0 s':
    'dash.mp4 fragmented.mp4 index-first.mp4 mpeg4.mp4 plain.m4v plain.mp4 silent.mp4 two-sounds.mp4 varying-rate.mp4',
  'video/mp4, 64x48, 3.0 s': 'late-image.mp4',
  'video/quicktime, 64x48, 2.0 s': 'plain.mov',
  'video/webm, 64x48, 2.0 s': 'plain.webm recorder.webm vp9.webm',
};

/** The result of each file. */
export const EXPECTED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BY_RESULT).flatMap(([result, names]) => names.split(' ').map((name) => [name, result])),
);
