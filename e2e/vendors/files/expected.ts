/** Files by what they are taken as, or by the sentence by which they are refused; ` … ` stands for the types that are accepted. */
const BY_RESULT: Readonly<Record<string, string>> = {
  'application/pdf, 2 pages': 'fpdf2.pdf scanned.pdf',
  'application/pdf, 3 pages':
    'for-its-owner-2.pdf for-its-owner-3.pdf for-its-owner-4.pdf for-its-owner-5.pdf for-its-owner-6.pdf linearized.pdf object-streams.pdf reportlab-packed.pdf reportlab.pdf version-2.pdf',
  'application/pdf, 4 pages': 'appended-to.pdf pypdf.pdf',
  'audio/flac, 2.0 s': 'plain.flac with-cover.flac',
  'audio/mp4, 2.0 s':
    'audio-book.m4b fragmented-sound.mp4 lossless.m4a mp3-inside.mp4 plain.m4a sound-alone.3gp sound-alone.mov sound-alone.mp4 voice-note.3gp with-cover.m4a',
  'audio/mpeg, 2.0 s': 'behind-a-large-cover.mp3 plain.mp3 untagged.mp3 varying-rate.mp3 with-cover.mp3',
  'audio/ogg, 2.0 s': 'voice-message.opus vorbis.ogg',
  'audio/wav, 1.0 s': 'broadcast.wav cut-off.wav junk-first.wav odd-list.wav plain.wav streamed.wav tags-behind.wav',
  'audio/wav, 2.0 s': '24-bit.wav 8-bit.wav float.wav six-channels.wav telephone.wav',
  'audio/webm, 2.0 s': 'sound-alone.webm vorbis.webm',
  'file: The PDF is broken; its pages cannot be counted.': 'cut-off.pdf',
  'file: The audio cannot be read.': 'never-finished.wav no-data.wav',
  'file: The document is protected by a password.':
    'for-readers-2.pdf for-readers-3.pdf for-readers-4.pdf for-readers-5.pdf for-readers-6.pdf',
  'file: The file is application/pdf behind other bytes; accepted are …': 'behind-a-mark.pdf behind-an-empty-line.pdf',
  'file: The file is audio/aac; accepted are …': 'plain.aac',
  'file: The file is audio/aiff; accepted are …': 'plain.aiff',
  'file: The file is audio/basic; accepted are …': 'plain.au',
  'file: The file is audio/ogg with FLAC or Speex in place of Opus or Vorbis; accepted are …': 'flac.ogg',
  'file: The file is audio/wav with compressed sound in place of PCM; accepted are …': 'adpcm.wav mp3-inside.wav',
  'file: The file is audio/wav of the form RF64; accepted are …': 'rf64.wav',
  'file: The file is audio/x-caf; accepted are …': 'plain.caf',
  'file: The file is image/avif of moving images; accepted are … Convert it to JPEG or PNG.': 'animated.avif',
  'file: The file is image/heic; accepted are … Convert it to JPEG or PNG.': 'photo.heif plain.heic',
  'file: The file is image/jp2; accepted are … Convert it to JPEG or PNG.': 'plain.jp2',
  'file: The file is image/tiff; accepted are … Convert it to JPEG or PNG.': 'plain.tiff',
  'file: The file is image/x-icon; accepted are … Convert it to JPEG or PNG.': 'plain.ico',
  'file: The file is of an unknown type; accepted are …': 'plain.mp2 plain.ppm',
  'file: The file is video/mp2t; accepted are …': 'plain.ts sound-alone.ts',
  'file: The file is video/ogg; accepted are …': 'plain.ogv',
  'file: The file is video/x-flv; accepted are …': 'plain.flv',
  'file: The file is video/x-matroska; accepted are …': 'plain.mkv sound-alone.mka',
  'file: The file is video/x-ms-asf; accepted are …': 'plain.wma plain.wmv',
  'file: The file is video/x-msvideo; accepted are …': 'plain.avi sound-alone.avi',
  'file: The image is damaged or ends too early.': 'cut-off.jpg',
  'image/bmp, 80x60': 'alpha.bmp plain.bmp',
  'image/jpeg, 60x80':
    'orientation-5.jpg orientation-6-big-endian.jpg orientation-6.jpg orientation-7.jpg orientation-8.jpg turned.avif',
  'image/jpeg, 80x60':
    'cmyk.jpg grey.jpg icc.jpg motion-photo.jpg orientation-1.jpg orientation-2.jpg orientation-3.jpg orientation-4.jpg plain.avif progressive.jpg several-images.mpo',
  'image/png, 1600x1600': 'large-cover.png',
  'image/png, 60x80': 'orientation-6.png',
  'image/png, 64x48': '16-bit-alpha.png 16-bit-colour.png cover.png plain.gif',
  'image/png, 80x60': '1-bit.png 16-bit.png alpha.avif animated.gif animated.png grey-alpha.png icc.png palette.png',
  'image/webp, 60x80': 'orientation-6.webp',
  'image/webp, 80x60': 'animated.webp lossless.webp',
  'text/plain': 'drawing.svg',
  'video/mp4, 128x48, 2.0 s': 'tall-pixels.mp4',
  'video/mp4, 192x144, 2.0 s': 'plain.3gp',
  'video/mp4, 48x64, 2.0 s': 'rotated.mp4',
  'video/mp4, 64x48, 1.4 s': 'edit-list.mp4',
  'video/mp4, 64x48, 2.0 s':
    'av1.mp4 dash.mp4 fragmented.mp4 index-first.mp4 mpeg4.mp4 plain.m4v plain.mp4 rotated-180.mp4 silent.mp4 two-images.mp4 two-sounds.mp4 varying-rate.mp4',
  'video/mp4, 64x48, 3.0 s': 'late-image.mp4',
  'video/quicktime, 48x64, 2.0 s': 'rotated-270.mov',
  'video/quicktime, 64x48, 2.0 s': '10-bit-hevc.mov plain.mov prores.mov timecode.mov',
  'video/webm, 64x48, 2.0 s': 'plain.webm recorder.webm vp9.webm',
};

/** The result of each file. */
export const EXPECTED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BY_RESULT).flatMap(([result, names]) => names.split(' ').map((name) => [name, result])),
);
